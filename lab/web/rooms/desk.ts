// The workbench: read, score, convert and share a board; race fill orders.
import { BoardView, Mark } from "../board";
import { button, checkbox, el, field, scroll, select } from "../dom";
import { Closed, type Engine, edgesOf, type Puzzle } from "../engine";
import type { Lab, Room } from "../room";
import { number, t } from "../texts";

interface Read {
  name: string;
  dialect: string;
  width: number;
  height: number;
  score: number;
  max: number;
  breaks: number;
  open: number;
  placed: number;
  official: boolean;
  clues_held: number;
  clues: number;
  duplicate_cells: number[];
  foreign_cells: number[];
  rim_fault_cells: number[];
  broken_cells: number[];
  warnings: string[];
  edges: number[];
  clue_cells: number[];
}

interface Orders {
  puzzle: Puzzle;
  orders: { name: string; cells: number[] }[];
  forms: string[];
}

interface Raced {
  name: string;
  score: number;
  max: number;
  board: number[];
  nodes: number;
  seconds: number;
}

const largestFile = 4 << 20;
const pieces = "image/png";

/** seen waits until the tab is. */
function seen(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

function mount(host: HTMLElement, lab: Lab): () => void {
  const engine = lab.engine();
  const closers: (() => void)[] = [];
  host.append(el("div", { class: "intro" }, el("h1", { text: t("desk.title") }), el("p", { text: t("desk.intro") })));
  const reading = bench(host, lab, engine, closers);
  const racing = race(host, lab, engine, closers);
  void Promise.all([reading, racing]).then(() => {
    host.dataset["ready"] = "true";
  }, lab.fail);
  return () => closers.forEach((f) => f());
}

async function bench(host: HTMLElement, lab: Lab, engine: Engine, closers: (() => void)[]): Promise<void> {
  let boards: Read[] = [];
  let shown = 0;
  let lenient = false;
  let source = { text: "", lenient: false }; // what was read last, which the text area may no longer hold
  const view = new BoardView(engine, t("desk.title"));
  closers.push(() => view.close());
  const paste = el("textarea", { rows: "5", spellcheck: "false", "data-do": "paste" });
  const file = el("input", { type: "file" });
  const which = select([], "", (v) => void show(Number(v)).catch(lab.fail));
  const whichField = field(t("desk.which"), which);
  const facts = el("dl", { class: "facts" });
  const faults = el("ul", { class: "plain" });
  const warnings = el("ul", { class: "plain" });
  const warned = el("div", {}, el("h2", { text: t("desk.warnings") }), warnings);
  const form = select([], "", () => void write());
  const result = el("textarea", { rows: "6", spellcheck: "false", "data-do": "result" });
  result.readOnly = true;
  const picture = el("img", { class: "picture" });
  picture.alt = t("desk.result");
  const lost = el("p", { class: "hint" });
  let download: { data: string; type: string; name: string } | undefined;

  const read = button(t("desk.read"), () => void go(), { class: "primary", "data-do": "read" });
  const panel = el(
    "section", { class: "panel", "aria-label": t("desk.verdict") },
    el("h2", { text: t("desk.verdict") }), whichField, facts, el("h2", { text: t("desk.faults") }), faults, warned,
    el("h2", { text: t("desk.convert") }), field(t("desk.write"), form), field(t("desk.result"), result), picture, lost,
    el("div", { class: "buttons space" },
      button(t("desk.copy"), () => void copy(result.value)),
      button(t("desk.download"), () => save()),
      button(t("desk.share"), () => void link().then(copy).catch(lab.fail))),
  );
  const whole = el("div", { class: "split" }, el("div", { class: "stage" }, view.element), panel);
  whole.hidden = true; // until a board was read
  host.append(
    el("div", { class: "card paste" }, field(t("desk.paste"), paste), checkbox(t("desk.lenient"), false, (on) => (lenient = on)),
      el("div", { class: "buttons" }, read, field(t("desk.file"), file))),
    whole,
  );
  file.addEventListener("change", () => void load(file.files?.[0]));
  paste.addEventListener("dragover", (e) => e.preventDefault());
  paste.addEventListener("drop", (e) => {
    const f = e.dataTransfer?.files[0];
    if (!f) return;
    e.preventDefault();
    void load(f);
  });

  async function load(f: File | undefined): Promise<void> {
    if (!f) return;
    if (f.size > largestFile) return lab.fail(new Error(`${f.name}: ${number(f.size)} > ${number(largestFile)}`));
    paste.value = await f.text();
    await go();
  }

  async function go(): Promise<void> {
    lab.clear();
    host.dataset["score"] = "";
    try {
      const asked = { text: paste.value, lenient };
      boards = await engine.call<Read[]>("desk.read", asked);
      source = asked;
      which.replaceChildren(...boards.map((b, i) => el("option", { value: String(i), text: `${i + 1}: ${b.name || b.dialect} (${b.score})` })));
      whichField.hidden = boards.length < 2;
      await show(0);
      lab.announce(label());
    } catch (error) {
      lab.fail(error);
    }
  }

  function label(): string {
    const b = boards[shown];
    return b ? t("desk.board", { score: b.score, max: b.max, breaks: b.breaks, open: b.open }) : "";
  }

  async function show(i: number): Promise<void> {
    shown = i;
    const b = boards[i];
    if (!b) return;
    whole.hidden = false;
    view.setLabel(label());
    await view.show(b.width, b.height, Uint8Array.from(b.edges), b.clue_cells);
    view.setMarks(new Map([...b.foreign_cells, ...b.duplicate_cells, ...b.rim_fault_cells].map((c) => [c, Mark.bad])));
    facts.replaceChildren(...([
      [t("desk.score"), t("desk.of", { a: b.score, b: b.max })], [t("desk.breaks"), number(b.breaks)], [t("desk.open"), number(b.open)],
      [t("desk.placed"), t("desk.of", { a: b.placed, b: b.width * b.height })], [t("desk.clues"), t("desk.of", { a: b.clues_held, b: b.clues })],
      [t("desk.set"), b.official ? t("desk.official") : t("desk.otherSet")], [t("desk.dialect"), b.dialect],
    ] as const).map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value }))));
    const lines = ([["desk.foreign", b.foreign_cells], ["desk.duplicates", b.duplicate_cells], ["desk.rim", b.rim_fault_cells], ["desk.broken", b.broken_cells]] as const)
      .filter(([, cells]) => cells.length > 0).map(([key, cells]) => el("li", { text: t(key, { cells: cells.join(", ") }) }));
    faults.replaceChildren(...(lines.length > 0 ? lines : [el("li", { text: t("desk.none") })]));
    warnings.replaceChildren(...b.warnings.map((w) => el("li", { text: w, lang: "en" })));
    warned.hidden = b.warnings.length === 0;
    host.dataset["score"] = String(b.score);
    host.dataset["breaks"] = String(b.breaks);
    await write();
    // To be there again after a reload; a board that fits no link has none.
    await place().then((board) => lab.setQuery({ board }), () => lab.setQuery({}));
  }

  async function write(): Promise<void> {
    if (boards.length === 0) return;
    const to = form.value;
    try {
      const w = await engine.call<{ text: string; lost: string[] }>("desk.write", { ...source, index: shown, to });
      if (to !== form.value) return; // another form was chosen meanwhile
      const image = to === "png" ? `data:${pieces};base64,${w.text}` : to === "svg" ? `data:image/svg+xml,${encodeURIComponent(w.text)}` : "";
      picture.hidden = image === "";
      if (image !== "") picture.src = image;
      result.value = to === "png" ? "" : w.text;
      lost.hidden = w.lost.length === 0;
      lost.textContent = w.lost.length > 0 ? t("desk.lost", { what: w.lost.join("; ") }) : "";
      const extension = to === "svg" || to === "png" ? to : /^csv/.test(to) ? "csv" : /json/.test(to) ? "json" : "txt";
      download = { data: w.text, type: to === "png" ? pieces : "text/plain", name: `board.${extension}` };
    } catch (error) {
      result.value = lost.textContent = "";
      picture.hidden = true;
      download = undefined;
      lab.fail(error);
    }
  }

  function save(): void {
    if (!download) return;
    const data = download.type === pieces ? Uint8Array.from(atob(download.data), (c) => c.charCodeAt(0)) : download.data;
    const url = URL.createObjectURL(new Blob([data], { type: download.type }));
    const a = el("a", { href: url });
    a.download = download.name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  async function copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      lab.announce(t("desk.copied"));
    } catch {
      result.value = text; // a browser without leave to copy: it can be picked up here
      result.select();
    }
  }

  /** place is the board that is shown as a text for a link. */
  function place(): Promise<string> {
    return engine.call<string>("desk.link", { ...source, index: shown });
  }

  async function link(): Promise<string> {
    return `${location.href.split("#")[0]}#/desk?${new URLSearchParams({ board: await place() }).toString()}`;
  }

  const { forms } = await engine.call<Orders>("race.orders", { side: 16 });
  form.replaceChildren(...forms.map((f) => el("option", { value: f, text: f })));
  form.value = "bucas";
  paste.value = lab.query.get("board")?.slice(0, 1 << 20) ?? "blackwood-470";
  await go();
}

async function race(host: HTMLElement, lab: Lab, engine: Engine, closers: (() => void)[]): Promise<void> {
  let orders: Orders;
  let mine: number[] = [];
  let running: Engine | undefined;
  let run = 0; // the race at hand is the one of this number
  let racing = false;
  let size = 10;
  let width = 256;
  let clues = "five";
  const rivals = new Set(["row-major", "spiral", "comb"]);
  const results: Raced[] = [];

  const view = new BoardView(engine, t("desk.race"));
  const hide = (): void => {
    if (document.hidden) running?.close(); // the lane is run again when the tab is seen: it does the same
  };
  document.addEventListener("visibilitychange", hide);
  closers.push(() => view.close(), () => document.removeEventListener("visibilitychange", hide), () => stop());
  const status = el("p", { class: "said space" });
  const rows = el("tbody");
  const standings = scroll(t("desk.race"), el("table", {}, el("thead", {}, el("tr", {}, ...(["order", "score", "nodes", "seconds"] as const).map((k) => el("th", { scope: "col", text: t(`desk.${k}`) })))), rows));
  standings.hidden = status.hidden = true;
  const choice = el("fieldset", {}, el("legend", { text: t("desk.rivals") }));
  const start = button(t("desk.start"), () => void (racing ? stop() : go()), { class: "primary", "data-do": "race" });
  const sizes = select([["6", t("desk.raceSmall", { side: 6 })], ["10", t("desk.raceSmall", { side: 10 })], ["16", t("desk.raceOfficial")]], String(size), (v) => {
    size = Number(v);
    void open().catch(lab.fail);
  });
  const seed = el("input", { type: "number", min: "0", max: "9007199254740991", step: "1", value: "2007" });
  seed.addEventListener("change", () => void open().catch(lab.fail));
  const held = select([["five", t("desk.cluesFive")], ["starter", t("desk.cluesStarter")], ["none", t("desk.cluesNone")]], clues, (v) => {
    clues = v;
    void open().catch(lab.fail);
  });
  const heldField = field(t("desk.cluesToHold"), held);
  const widths = select(["16", "64", "256", "1024", "4096"].map((w) => [w, number(Number(w))] as const), String(width), (v) => (width = Number(v)));
  host.append(
    el("h2", { class: "section", text: t("desk.race") }), el("p", { class: "hint wide", text: t("desk.raceIntro") }),
    el("div", { class: "split" }, el("div", { class: "stage" }, view.element),
      el("section", { class: "panel", "aria-label": t("desk.race") },
        el("div", { class: "setup" }, field(t("desk.raceSize"), sizes), heldField, field(t("desk.seed"), seed), field(t("desk.raceWidth"), widths), choice),
        el("div", { class: "buttons space" }, start,
          button(t("desk.rest"), () => change(complete())),
          button(t("desk.undo"), () => change(mine.slice(0, -1))),
          button(t("desk.clear"), () => change([]))),
        status,
        standings)),
  );

  view.handle({
    describe: (cell) => {
      const at = mine.indexOf(cell);
      const where = t("desk.cell", { row: Math.floor(cell / size) + 1, column: (cell % size) + 1 });
      return `${where}, ${at < 0 ? t("desk.empty") : t("desk.number", { n: at + 1 })}`;
    },
    over: (cell) => {
      if (!mine.includes(cell)) change([...mine, cell]);
    },
    say: lab.announce,
  });

  function complete(): number[] {
    const seen = new Set(mine);
    return [...mine, ...Array.from({ length: size * size }, (_, i) => i).filter((c) => !seen.has(c))];
  }

  function change(cells: number[]): void {
    if (racing) return;
    mine = cells;
    void draw(undefined).catch(lab.fail);
  }

  /** draw shows the order by hand, or the board of a rival. */
  async function draw(r: Raced | undefined): Promise<void> {
    const p = orders.puzzle;
    await view.show(p.width, p.height, r ? edgesOf(p, r.board) : new Uint8Array(4 * size * size).fill(255), p.clues);
    const labels: string[] = [];
    if (!r) mine.forEach((cell, i) => (labels[cell] = String(i + 1)));
    view.setLabels(labels);
    view.setPaths(!r && mine.length > 1 ? [{ cells: mine, colour: "#1b74bd" }] : []);
    view.setLabel(t("desk.raceBoard", { n: mine.length, all: size * size }));
  }

  /** course is the puzzle of the race, as the engine is asked for it. */
  function course(): { side: number; seed: number; clues: string } {
    return { side: size, seed: Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.floor(seed.valueAsNumber || 0))), clues: size === 16 ? clues : "" };
  }

  async function open(): Promise<void> {
    stop();
    clear();
    heldField.hidden = size !== 16;
    mine = [];
    orders = await engine.call<Orders>("race.orders", course());
    choice.replaceChildren(choice.firstElementChild!, ...orders.orders.map((o) =>
      checkbox(o.name, rivals.has(o.name), (on) => void (on ? rivals.add(o.name) : rivals.delete(o.name)))));
    await draw(undefined);
  }

  /** clear takes away what the last race said. */
  function clear(): void {
    results.length = 0;
    rows.replaceChildren();
    standings.hidden = status.hidden = true;
  }

  function stop(): void {
    run++;
    racing = false;
    running?.close();
    running = undefined;
    start.textContent = t("desk.start");
    if (results.length === 0) status.hidden = true;
    else status.textContent = leader();
  }

  async function go(): Promise<void> {
    lab.clear();
    clear();
    status.hidden = false;
    const lanes = [...(mine.length > 0 ? [{ name: t("desk.mine"), cells: complete() }] : []), ...orders.orders.filter((o) => rivals.has(o.name))];
    if (lanes.length === 0) {
      status.textContent = t("desk.noLanes");
      lab.announce(status.textContent);
      return;
    }
    const turn = ++run;
    racing = true;
    start.textContent = t("desk.stop");
    try {
      for (const lane of lanes) {
        const r = await along(lane, turn);
        if (!r) return;
        results.push(r);
        table();
        await draw(r);
      }
      await draw(results.reduce((a, b) => (b.score > a.score ? b : a)));
    } catch (error) {
      if (run === turn) lab.fail(error);
    } finally {
      if (run === turn) {
        stop();
        lab.announce(status.textContent ?? "");
      }
    }
  }

  /** along runs one lane of a race while the tab is seen; nothing when the race was stopped. */
  async function along(lane: { name: string; cells: readonly number[] }, turn: number): Promise<Raced | undefined> {
    for (;;) {
      await seen();
      if (run !== turn) return undefined;
      const runner = (running = lab.engine());
      runner.onEvent = (_, data) => {
        const e = data as { name: string; done: number; of: number };
        if (run === turn) status.textContent = t("desk.running", { name: e.name, done: e.done, of: e.of });
      };
      try {
        return await runner.call<Raced>("race.run", { ...course(), name: lane.name, cells: lane.cells, width });
      } catch (error) {
        if (!(error instanceof Closed)) throw error;
      } finally {
        runner.close();
      }
    }
  }

  function leader(): string {
    const best = results.reduce((a, b) => (b.score > a.score ? b : a));
    return t("desk.won", { name: best.name, score: best.score, max: best.max });
  }

  function table(): void {
    const best = Math.max(...results.map((r) => r.score));
    standings.hidden = false;
    rows.replaceChildren(...[...results].sort((a, b) => b.score - a.score).map((r) => {
      const bar = el("span", { class: "meter" });
      bar.style.setProperty("--share", String(r.score / r.max));
      return el("tr", r.score === best ? { class: "drawn" } : {}, el("th", { scope: "row", text: r.name }),
        el("td", { class: "number" }, bar, t("desk.of", { a: r.score, b: r.max })), el("td", { class: "number", text: number(r.nodes) }), el("td", { class: "number", text: number(r.seconds, 2) }));
    }));
  }

  await open();
}

export const desk: Room = { id: "desk", title: "desk.title", mount };

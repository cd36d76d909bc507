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
const longestLink = 8000;
const pieces = "image/png";

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
  const view = new BoardView(engine, t("desk.title"));
  closers.push(() => view.close());
  const paste = el("textarea", { rows: "5", spellcheck: "false", "data-do": "paste" });
  const file = el("input", { type: "file" });
  const which = select([], "", (v) => void show(Number(v)));
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
    whichField, el("h2", { text: t("desk.verdict") }), facts, el("h2", { text: t("desk.faults") }), faults, warned,
    el("h2", { text: t("desk.write") }), field(t("desk.write"), form), field(t("desk.result"), result), picture, lost,
    el("div", { class: "buttons" },
      button(t("desk.copy"), () => void copy(result.value)),
      button(t("desk.download"), () => save()),
      button(t("desk.share"), () => void copy(link()))),
  );
  host.append(
    el("div", { class: "card paste" }, field(t("desk.paste"), paste), checkbox(t("desk.lenient"), false, (on) => (lenient = on)),
      el("div", { class: "buttons" }, read, field(t("desk.file"), file))),
    el("div", { class: "split" }, el("div", { class: "stage" }, view.element), panel),
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
      boards = await engine.call<Read[]>("desk.read", { text: paste.value, lenient });
      which.replaceChildren(...boards.map((b, i) => el("option", { value: String(i), text: `${i + 1}: ${b.name || b.dialect} (${b.score})` })));
      whichField.hidden = boards.length < 2;
      await show(0);
      if (paste.value.length <= longestLink) lab.setQuery({ board: paste.value.trim() }); // to be there again after a reload
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
  }

  async function write(): Promise<void> {
    if (boards.length === 0) return;
    try {
      const w = await engine.call<{ text: string; lost: string[] }>("desk.write", { text: paste.value, lenient, index: shown, to: form.value });
      const image = form.value === "png" ? `data:${pieces};base64,${w.text}` : form.value === "svg" ? `data:image/svg+xml,${encodeURIComponent(w.text)}` : "";
      picture.hidden = image === "";
      if (image !== "") picture.src = image;
      result.value = form.value === "png" ? "" : w.text;
      lost.textContent = w.lost.length > 0 ? t("desk.lost", { what: w.lost.join("; ") }) : "";
      const extension = form.value === "svg" || form.value === "png" || form.value === "csv" ? form.value : /json/.test(form.value) ? "json" : "txt";
      download = { data: w.text, type: form.value === "png" ? pieces : "text/plain", name: `board.${extension}` };
    } catch (error) {
      result.value = "";
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

  function link(): string {
    return `${location.href.split("#")[0]}#/desk?${new URLSearchParams({ board: paste.value.trim() }).toString()}`;
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
  let size = 10;
  let width = 256;
  const rivals = new Set(["row-major", "spiral", "comb"]);
  const results: Raced[] = [];

  const view = new BoardView(engine, t("desk.race"));
  closers.push(() => view.close(), () => running?.close());
  const status = el("p", { class: "said" });
  const rows = el("tbody");
  const choice = el("fieldset", {}, el("legend", { text: t("desk.rivals") }));
  const start = button(t("desk.start"), () => void (running ? stop() : go()), { class: "primary", "data-do": "race" });
  const sizes = select([["6", t("desk.raceSmall", { side: 6 })], ["10", t("desk.raceSmall", { side: 10 })], ["16", t("desk.raceOfficial")]], String(size), (v) => {
    size = Number(v);
    void open().catch(lab.fail);
  });
  const widths = select(["16", "64", "256", "1024", "4096"].map((w) => [w, number(Number(w))] as const), String(width), (v) => (width = Number(v)));
  host.append(
    el("h2", { class: "section", text: t("desk.race") }), el("p", { class: "hint wide", text: t("desk.raceIntro") }),
    el("div", { class: "split" }, el("div", { class: "stage" }, view.element),
      el("section", { class: "panel", "aria-label": t("desk.race") },
        el("div", { class: "setup" }, field(t("desk.raceSize"), sizes), field(t("desk.raceWidth"), widths), choice),
        el("div", { class: "buttons" }, start,
          button(t("desk.rest"), () => change(complete())),
          button(t("desk.undo"), () => change(mine.slice(0, -1))),
          button(t("desk.clear"), () => change([]))),
        status,
        scroll(t("desk.race"), el("table", {}, el("thead", {}, el("tr", {}, ...(["order", "score", "nodes", "seconds"] as const).map((k) => el("th", { scope: "col", text: t(`desk.${k}`) })))), rows)))),
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
    if (running) return;
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

  async function open(): Promise<void> {
    stop();
    orders = await engine.call<Orders>("race.orders", { side: size });
    mine = [];
    choice.replaceChildren(choice.firstElementChild!, ...orders.orders.map((o) =>
      checkbox(o.name, rivals.has(o.name), (on) => void (on ? rivals.add(o.name) : rivals.delete(o.name)))));
    await draw(undefined);
  }

  function stop(): void {
    running?.close();
    running = undefined;
    start.textContent = t("desk.start");
  }

  async function go(): Promise<void> {
    lab.clear();
    results.length = 0;
    rows.replaceChildren();
    const runner = (running = lab.engine());
    start.textContent = t("desk.stop");
    runner.onEvent = (_, data) => {
      const e = data as { name: string; done: number; of: number };
      status.textContent = t("desk.running", { name: e.name, done: e.done, of: e.of });
    };
    const lanes = [...(mine.length > 0 ? [{ name: t("desk.mine"), cells: complete() }] : []), ...orders.orders.filter((o) => rivals.has(o.name))];
    try {
      for (const lane of lanes) {
        const r = await runner.call<Raced>("race.run", { side: size, name: lane.name, cells: lane.cells, width, seed: 1 });
        results.push(r);
        table();
        await draw(r);
      }
      const best = results.reduce((a, b) => (b.score > a.score ? b : a));
      status.textContent = t("desk.won", { name: best.name, score: best.score, max: best.max });
      lab.announce(status.textContent);
      await draw(best);
    } catch (error) {
      if (!(error instanceof Closed)) lab.fail(error);
    } finally {
      if (running === runner) stop();
    }
  }

  function table(): void {
    const best = Math.max(...results.map((r) => r.score));
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

// Ledger: one tail searched twice, with and without the prune, in step.
import { BoardView, Mark } from "../board";
import { Chart } from "../chart";
import { button, el, field, scroll, select, slider } from "../dom";
import { Closed, type Engine, edgesOf, type Puzzle } from "../engine";
import type { Lab, Room } from "../room";
import { number, t, type Key } from "../texts";
import { Ticker } from "../ticker";

interface Search {
  nodes: number;
  completions: number;
  judged: number;
  fires: number;
  fires_deficit: number;
  fires_parity: number;
  done: boolean;
  cut: boolean;
  board: number[];
  left: number;
  levels: { nodes: number; judged: number; fires: number }[];
}

interface Balance {
  colours: { colour: number; supply: number; demand: number }[];
  deficit: number;
  odd: number;
  left: number;
  odd_most: number;
  deficit_ok: boolean;
  parity_ok: boolean;
}

interface State {
  off: Search;
  on: Search;
  balance: Balance;
}

interface Opened extends State {
  puzzle: Puzzle;
  budget: number;
  tail: number[];
}

interface Row {
  keep: number;
  budget: number;
  completions: number;
  off: number;
  node: number;
  candidate: number;
}

const question = { board: "riotte-464", turn: 180, keep: 232, budget: -1, charge: "seam", mode: "node", conditions: ["page"] };
const speeds = [1, 1, 4, 64, 1024, 0]; // nodes a frame; the first waits between nodes, the last takes what a frame has time for
const pause0 = 260; // milliseconds between nodes at the slowest speed
const mostOfRow = 400_000;
const sides = ["off", "on"] as const;

function mount(host: HTMLElement, lab: Lab): () => void {
  const engine = lab.engine();
  const asked = { ...question };
  let puzzle: Puzzle | undefined;
  let tail: number[] = [];
  let state: State | undefined;
  let speed = 2;
  let last = 0;

  const views = { off: new BoardView(engine, t("ledger.off")), on: new BoardView(engine, t("ledger.on")) };
  const facts = { off: el("dl", { class: "facts" }), on: el("dl", { class: "facts" }) };
  const said = el("p", { class: "said" });
  const progress = el("p", { class: "hint" });
  const sums = { deficit: condition(), parity: condition() };
  const accounts = el("ul", { class: "accounts" });
  const bars = new Map<number, { item: HTMLElement; supply: HTMLElement; demand: HTMLElement; label: HTMLElement }>();
  const depth = new Chart({
    label: t("ledger.depth"), x: t("ledger.depthX"), y: t("ledger.nodes"), logY: true,
    lines: [{ label: t("ledger.off"), colour: "--line-2", points: true }, { label: t("ledger.on"), colour: "--line-1", points: true }, { label: t("ledger.fires"), colour: "--line-4", dash: true, points: true }],
  });
  const rowsChart = new Chart({
    label: t("ledger.rows"), x: t("ledger.free"), y: t("ledger.nodes"), logY: true,
    lines: [
      { label: t("ledger.colOff"), colour: "--line-2", points: true }, { label: t("ledger.colNode"), colour: "--line-1", points: true },
      { label: t("ledger.colCandidate"), colour: "--line-3", points: true },
    ],
  });
  lab.onTheme(() => {
    depth.rebuild();
    rowsChart.rebuild();
  });
  const ticker = new Ticker(tick, lab.fail);
  const play = button(t("ledger.play"), () => (ticker.running ? stop() : go()), { class: "primary", "data-do": "play" });
  const step = button(t("ledger.step"), () => void advance({ nodes: 1, ms: 0 }).then(tellAll, lab.fail), { "data-do": "step" });
  const reset = button(t("ledger.reset"), () => void open().catch(lab.fail));
  const speedName = el("output");
  const speedSlider = slider(0, speeds.length - 1, speed, (v) => {
    speed = v;
    nameSpeed();
  });
  const setup = form(engine, asked, () => void open().catch(lab.fail), lab.fail);
  const rows = certificates(lab, asked, rowsChart);

  host.append(
    el("div", { class: "intro" }, el("h1", { text: t("ledger.title") }), el("p", { text: t("ledger.intro") })),
    el("div", { class: "card" },
      el("div", { class: "buttons" }, play, step, reset),
      el("div", { class: "inline" }, field(t("ledger.speed"), speedSlider), speedName), said, progress),
    el("div", { class: "pair space" }, ...sides.map((s) => el("section", { class: "card", "aria-label": t(`ledger.${s}`) },
      el("h2", { text: t(`ledger.${s}`) }), views[s].element, facts[s]))),
    el("div", { class: "pair space" },
      el("section", { class: "card", "aria-label": t("ledger.accounts") }, el("h2", { text: t("ledger.accounts") }), el("ul", { class: "plain conditions" }, sums.deficit.item, sums.parity.item), el("p", { class: "hint", text: t("ledger.accountsHint") }), accounts),
      el("section", { class: "card", "aria-label": t("ledger.depth") }, el("h2", { text: t("ledger.depth") }), depth.element)),
    el("details", {}, el("summary", { text: t("ledger.setup") }), setup),
    rows.element,
  );
  nameSpeed();
  void open().then(() => {
    host.dataset["ready"] = "true";
  }, lab.fail);

  function nameSpeed(): void {
    const n = speeds[speed]!;
    speedName.textContent = speed === 0 ? t("ledger.speedSlow") : n === 0 ? t("ledger.speedFull") : t("ledger.speedNodes", { n });
    speedSlider.setAttribute("aria-valuetext", speedName.textContent);
  }

  async function open(): Promise<void> {
    stop();
    lab.clear();
    state = undefined;
    const o = await engine.call<Opened>("ledger.open", asked);
    puzzle = o.puzzle;
    tail = o.tail;
    bars.clear();
    accounts.replaceChildren(...o.balance.colours.map((c) => {
      const b = { item: el("li"), supply: el("span", { class: "supply" }), demand: el("span", { class: "demand" }), label: el("span", { class: "visually-hidden" }) };
      b.item.append(el("span", { class: "name", text: String(c.colour), "aria-hidden": "true" }), el("span", { class: "bars", "aria-hidden": "true" }, b.supply, b.demand), b.label);
      bars.set(c.colour, b);
      return b.item;
    }));
    await show(o);
  }

  async function advance(q: { nodes: number; ms: number }): Promise<void> {
    await show(await engine.call<State>("ledger.step", q));
  }

  async function tick(now: number): Promise<void> {
    if (speed === 0 && now - last < pause0) return;
    last = now;
    const n = speeds[speed]!;
    await advance(n === 0 ? { nodes: 4096, ms: 14 } : { nodes: n, ms: 0 });
    if (state?.off.done && state.on.done) {
      stop();
      play.disabled = step.disabled = true;
      tellAll();
    }
  }

  function tellAll(): void {
    lab.announce(`${said.textContent} ${progress.textContent}`);
  }

  function go(): void {
    play.textContent = t("ledger.pause");
    ticker.start();
  }

  function stop(): void {
    ticker.stop();
    play.textContent = t("ledger.play");
    play.disabled = step.disabled = false;
  }

  async function show(s: State): Promise<void> {
    const before = state?.on;
    state = s;
    const p = puzzle!;
    for (const side of sides) {
      const x = s[side];
      const placed = x.board.filter((c) => c >= 0).length;
      views[side].setLabel(t("ledger.board", { which: t(`ledger.${side}`), placed, left: x.left }));
      await views[side].show(p.width, p.height, edgesOf(p, x.board), p.clues);
      const next = placed - (p.width * p.height - tail.length);
      const at = x.done ? -1 : tail[x.cut ? next - 1 : next] ?? -1;
      views[side].setMarks(new Map([...Array(p.width * p.height).keys()].map((c) => [c, c === at ? (x.cut ? Mark.bad : Mark.fresh) : tail.includes(c) ? 0 : Mark.dim])));
      const list: [Key, number][] = [["ledger.nodes", x.nodes], ["ledger.completions", x.completions]];
      if (side === "on") list.push(["ledger.judged", x.judged], ["ledger.fires", x.fires], ["ledger.byDeficit", x.fires_deficit], ["ledger.byParity", x.fires_parity]);
      facts[side].replaceChildren(...list.map(([k, v]) => el("div", {}, el("dt", { text: t(k) }), el("dd", { text: number(v) }))));
      host.dataset[side] = `${x.nodes} ${x.completions} ${x.done ? "done" : ""}`.trim();
    }
    const { off, on } = s;
    said.textContent = moment(s, before, tail.length);
    progress.textContent = off.done && on.done ? t("ledger.ratio", { off: off.nodes, on: on.nodes, ratio: number(off.nodes / on.nodes, 1) })
      : on.done ? t("ledger.onDone", { on: on.nodes, off: off.nodes, ratio: number(off.nodes / on.nodes, 1) }) : t("ledger.even", { n: on.nodes });
    const b = s.balance;
    sums.deficit.set(b.deficit_ok, b.deficit, b.left, t("ledger.deficit", { d: b.deficit, r: b.left, verdict: t(b.deficit_ok ? "ledger.holds" : "ledger.cuts") }));
    sums.parity.set(b.parity_ok, b.odd, b.odd_most, t("ledger.parity", { o: b.odd, most: b.odd_most, verdict: t(b.parity_ok ? "ledger.holds" : "ledger.cuts") }));
    const most = Math.max(1, ...b.colours.map((c) => Math.max(c.supply, c.demand)));
    for (const c of b.colours) {
      const r = bars.get(c.colour);
      if (!r) continue;
      r.supply.style.setProperty("--share", String(c.supply / most));
      r.demand.style.setProperty("--share", String(c.demand / most));
      const short = c.demand > c.supply;
      const odd = (c.demand + c.supply) % 2 === 1;
      r.item.classList.toggle("short", short);
      r.item.classList.toggle("odd", odd);
      r.label.textContent = t("ledger.colour", { c: c.colour, s: c.supply, d: c.demand, what: (short ? t("ledger.inDeficit") : "") + (odd ? t("ledger.isOdd") : "") });
    }
    const some = (n: number): number | null => (n > 0 ? n : null); // a logarithm has no 0
    depth.set([tail.map((_, i) => i + 1), off.levels.map((l) => some(l.nodes)), on.levels.map((l) => some(l.nodes)), on.levels.map((l) => some(l.fires))]);
    const where = on.levels.reduce((a, l, i) => (l.fires > on.levels[a]!.fires ? i : a), 0);
    depth.setLabel(on.fires > 0 ? `${t("ledger.depth")}. ${t("ledger.depthMost", { cell: where + 1, n: on.levels[where]!.fires })}` : t("ledger.depth"));
    host.dataset["cut"] = on.cut ? `${b.deficit_ok ? "" : "deficit "}${b.parity_ok ? "" : "parity"}`.trim() : "";
  }

  return () => {
    ticker.stop();
    rows.close();
    for (const s of sides) views[s].close();
    depth.close();
    rowsChart.close();
  };
}

/** condition is a line with a meter: a sum, and the most that it may be. */
function condition(): { item: HTMLElement; set(ok: boolean, sum: number, most: number, text: string): void } {
  const meter = el("span", { class: "meter", "aria-hidden": "true" });
  const words = el("span");
  const item = el("li", {}, meter, words);
  return {
    item,
    set(ok, sum, most, text) {
      item.className = ok ? "good" : "bad";
      meter.style.setProperty("--share", String(sum <= 0 ? 0 : Math.min(1, sum / Math.max(1, most))));
      words.textContent = text;
    },
  };
}

/** moment says what the pruned search has just met. */
function moment({ on, balance: b }: State, before: Search | undefined, cells: number): string {
  if (on.done) return t("ledger.momentDone", { n: on.completions });
  const cell = on.board.filter((c) => c >= 0).length - (on.board.length - cells);
  if (before && on.completions > before.completions) return t("ledger.momentFound");
  if (on.cut) return t(b.deficit_ok ? "ledger.momentParity" : b.parity_ok ? "ledger.momentDeficit" : "ledger.momentBoth", { cell });
  if (before && on.fires > before.fires) return t("ledger.momentRefused", { n: on.fires - before.fires });
  return t("ledger.momentHolds", { cell: cell + 1 });
}

/** form changes the question; apply is called when it is to be asked. */
function form(engine: Engine, asked: typeof question, apply: () => void, fail: (error: unknown) => void): HTMLFormElement {
  const paste = el("textarea", { rows: "2", spellcheck: "false" });
  const pasteField = field(t("ledger.paste"), paste);
  pasteField.hidden = true;
  const board = select([[asked.board, asked.board]], asked.board, (v) => {
    pasteField.hidden = v !== "paste";
  });
  engine.call<{ records: { name: string; score: number }[] }>("boards").then(({ records }) => {
    const chosen = board.value;
    board.replaceChildren(...records.map((r) => el("option", { value: r.name, text: `${r.name} (${r.score})` })), el("option", { value: "paste", text: t("ledger.pasted") }));
    board.value = chosen;
  }).catch((error: unknown) => {
    if (!(error instanceof Closed)) fail(error);
  });
  const turn = select([["0", "0°"], ["90", "90°"], ["180", "180°"], ["270", "270°"]], String(asked.turn), () => {});
  const keep = el("input", { type: "number", min: "0", max: "1023", value: String(asked.keep) });
  const budget = el("input", { type: "number", min: "-1", max: "40", value: String(asked.budget) });
  const charge = select([["seam", t("ledger.chargeSeam")], ["cell", t("ledger.chargeCell")]], asked.charge, () => {});
  const mode = select([["node", t("ledger.modeNode")], ["candidate", t("ledger.modeCandidate")]], asked.mode, () => {});
  const f = el("form", { class: "setup" },
    field(t("ledger.source"), board), pasteField, field(t("ledger.turn"), turn), field(t("ledger.keep"), keep), field(t("ledger.budget"), budget),
    field(t("ledger.charge"), charge), field(t("ledger.mode"), mode), el("button", { type: "submit", class: "primary", text: t("ledger.apply") }));
  f.addEventListener("submit", (e) => {
    e.preventDefault();
    Object.assign(asked, { board: board.value === "paste" ? paste.value : board.value, turn: Number(turn.value), keep: keep.valueAsNumber || 0, budget: Number.isNaN(budget.valueAsNumber) ? -1 : budget.valueAsNumber, charge: charge.value, mode: mode.value });
    apply();
  });
  return f;
}

/** seen resolves when the tab is not hidden. */
async function seen(): Promise<void> {
  while (document.hidden) await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}

/** certificates are the rows of a table that grow with the cells that are freed. */
function certificates(lab: Lab, asked: typeof question, chart: Chart): { element: HTMLElement; close(): void } {
  let running: Engine | undefined;
  const body = el("tbody");
  const start = button(t("ledger.rowsStart"), () => (running ? stop() : void go()), { "data-do": "rows" });

  function stop(): void {
    running?.close();
    running = undefined;
    start.textContent = t("ledger.rowsStart");
  }

  async function go(): Promise<void> {
    const e = (running = lab.engine());
    const q = { ...asked }; // the form may change meanwhile
    start.textContent = t("ledger.rowsStop");
    body.replaceChildren();
    const columns: (number | null)[][] = [[], [], [], []];
    try {
      const whole = await e.call<Opened>("ledger.open", q);
      const cells = whole.puzzle.width * whole.puzzle.height;
      for (let free = 4; free <= 64 && free < cells; free += 4) {
        await seen(); // a hidden tab searches nothing
        if (running !== e) return;
        const r = await e.call<Row>("ledger.row", { ...q, keep: cells - free, budget: -1, nodes: mostOfRow });
        [free, r.off || null, r.node || null, r.candidate || null].forEach((v, i) => columns[i]!.push(v));
        chart.set(columns.map((c) => [...c]));
        const cell = (n: number): HTMLElement => el("td", { class: "number", text: n > 0 ? number(n) : t("ledger.tooMany") });
        body.append(el("tr", {}, el("th", { scope: "row", text: String(free) }), el("td", { class: "number", text: String(r.budget) }), cell(r.off), cell(r.node), cell(r.candidate), el("td", { class: "number", text: r.candidate > 0 ? number(r.completions) : "–" })));
        const say = (n: number): string => (n > 0 ? number(n) : t("ledger.tooMany"));
        lab.announce(t("ledger.rowSaid", { free, off: say(r.off), node: say(r.node), candidate: say(r.candidate) }));
        if (r.candidate === 0) break;
      }
    } catch (error) {
      if (!(error instanceof Closed)) lab.fail(error);
    } finally {
      if (running === e) stop();
    }
  }

  const head = (["free", "colBudget", "colOff", "colNode", "colCandidate", "completions"] as const).map((k) => el("th", { scope: "col", text: t(`ledger.${k}`) }));
  const element = el("section", { class: "card space", "aria-label": t("ledger.rows") },
    el("h2", { text: t("ledger.rows") }), el("p", { class: "hint", text: t("ledger.rowsHint", { n: mostOfRow }) }), el("div", { class: "buttons" }, start),
    el("div", { class: "pair space" }, chart.element, scroll(t("ledger.rows"), el("table", {}, el("thead", {}, el("tr", {}, ...head)), body))));
  return { element, close: stop };
}

export const ledger: Room = { id: "ledger", title: "ledger.title", mount };

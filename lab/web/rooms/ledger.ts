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
  board: number[];
  left: number;
  levels: { nodes: number; judged: number; fires: number }[];
}

interface Balance {
  colours: { colour: number; supply: number; demand: number }[];
  deficit: number;
  odd: number;
  left: number;
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
  const conditions = el("ul", { class: "plain conditions" });
  const accounts = el("ul", { class: "accounts" });
  const bars = new Map<number, { item: HTMLElement; supply: HTMLElement; demand: HTMLElement; label: HTMLElement }>();
  const depth = new Chart({
    label: t("ledger.depth"), x: t("ledger.depthX"), y: t("ledger.nodes"), logY: true,
    lines: [{ label: t("ledger.off"), colour: "--line-2" }, { label: t("ledger.on"), colour: "--line-1" }, { label: t("ledger.fires"), colour: "--line-4", dash: true }],
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
  const step = button(t("ledger.step"), () => void advance({ nodes: 1, ms: 0 }).then(() => lab.announce(said.textContent ?? ""), lab.fail), { "data-do": "step" });
  const reset = button(t("ledger.reset"), () => void open().catch(lab.fail));
  const speedName = el("output");
  const speedSlider = slider(0, speeds.length - 1, speed, (v) => {
    speed = v;
    nameSpeed();
  });
  const setup = form(asked, () => void open().catch(lab.fail));
  const rows = certificates(lab, asked, rowsChart);

  host.append(
    el("div", { class: "intro" }, el("h1", { text: t("ledger.title") }), el("p", { text: t("ledger.intro") })),
    el("div", { class: "card" },
      el("div", { class: "buttons" }, play, step, reset),
      el("div", { class: "inline" }, field(t("ledger.speed"), speedSlider), speedName), said),
    el("div", { class: "pair space" }, ...sides.map((s) => el("section", { class: "card", "aria-label": t(`ledger.${s}`) },
      el("h2", { text: t(`ledger.${s}`) }), views[s].element, facts[s]))),
    el("div", { class: "pair space" },
      el("section", { class: "card", "aria-label": t("ledger.accounts") }, el("h2", { text: t("ledger.accounts") }), conditions, el("p", { class: "hint", text: t("ledger.accountsHint") }), accounts),
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
      lab.announce(said.textContent ?? "");
    }
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
    state = s;
    const p = puzzle!;
    for (const side of sides) {
      const x = s[side];
      const placed = x.board.filter((c) => c >= 0).length;
      views[side].setLabel(t("ledger.board", { which: t(`ledger.${side}`), placed, left: x.left }));
      await views[side].show(p.width, p.height, edgesOf(p, x.board), p.clues);
      const at = x.done ? -1 : tail[placed - (p.width * p.height - tail.length)] ?? -1;
      views[side].setMarks(new Map([...Array(p.width * p.height).keys()].map((c) => [c, c === at ? Mark.fresh : tail.includes(c) ? 0 : Mark.dim])));
      const list: [Key, number][] = [["ledger.nodes", x.nodes], ["ledger.completions", x.completions]];
      if (side === "on") list.push(["ledger.judged", x.judged], ["ledger.fires", x.fires], ["ledger.byDeficit", x.fires_deficit], ["ledger.byParity", x.fires_parity]);
      facts[side].replaceChildren(...list.map(([k, v]) => el("div", {}, el("dt", { text: t(k) }), el("dd", { text: number(v) }))));
      host.dataset[side] = `${x.nodes} ${x.completions} ${x.done ? "done" : ""}`.trim();
    }
    const { off, on } = s;
    said.textContent = off.done && on.done ? t("ledger.ratio", { off: off.nodes, on: on.nodes, ratio: number(off.nodes / on.nodes, 1) })
      : on.done ? t("ledger.onDone", { on: on.nodes, off: off.nodes }) : t("ledger.even", { n: on.nodes });
    const b = s.balance;
    conditions.replaceChildren(
      el("li", { class: b.deficit_ok ? "good" : "bad", text: t("ledger.deficit", { d: b.deficit, r: b.left, verdict: t(b.deficit_ok ? "ledger.holds" : "ledger.cuts") }) }),
      el("li", { class: b.parity_ok ? "good" : "bad", text: t("ledger.parity", { o: b.odd, r2: 2 * b.left, verdict: t(b.parity_ok ? "ledger.holds" : "ledger.cuts") }) }),
    );
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
  }

  return () => {
    ticker.stop();
    rows.close();
    for (const s of sides) views[s].close();
    depth.close();
    rowsChart.close();
  };
}

/** form changes the question; apply is called when it is to be asked. */
function form(asked: typeof question, apply: () => void): HTMLFormElement {
  const board = el("textarea", { rows: "2", spellcheck: "false" });
  board.value = asked.board;
  const turn = select([["0", "0°"], ["90", "90°"], ["180", "180°"], ["270", "270°"]], String(asked.turn), () => {});
  const keep = el("input", { type: "number", min: "0", max: "1023", value: String(asked.keep) });
  const budget = el("input", { type: "number", min: "-1", max: "40", value: String(asked.budget) });
  const charge = select([["seam", t("ledger.chargeSeam")], ["cell", t("ledger.chargeCell")]], asked.charge, () => {});
  const mode = select([["node", t("ledger.modeNode")], ["candidate", t("ledger.modeCandidate")]], asked.mode, () => {});
  const f = el("form", { class: "setup" },
    field(t("ledger.source"), board), field(t("ledger.turn"), turn), field(t("ledger.keep"), keep), field(t("ledger.budget"), budget),
    field(t("ledger.charge"), charge), field(t("ledger.mode"), mode), el("button", { type: "submit", class: "primary", text: t("ledger.apply") }));
  f.addEventListener("submit", (e) => {
    e.preventDefault();
    Object.assign(asked, { board: board.value, turn: Number(turn.value), keep: keep.valueAsNumber || 0, budget: Number.isNaN(budget.valueAsNumber) ? -1 : budget.valueAsNumber, charge: charge.value, mode: mode.value });
    apply();
  });
  return f;
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
    start.textContent = t("ledger.rowsStop");
    body.replaceChildren();
    const columns: (number | null)[][] = [[], [], [], []];
    try {
      const whole = await e.call<Opened>("ledger.open", asked);
      const cells = whole.puzzle.width * whole.puzzle.height;
      for (let free = 4; free <= 64 && free < cells; free += 4) {
        const r = await e.call<Row>("ledger.row", { ...asked, keep: cells - free, budget: -1, nodes: mostOfRow });
        [free, r.off || null, r.node || null, r.candidate || null].forEach((v, i) => columns[i]!.push(v));
        chart.set(columns.map((c) => [...c]));
        const cell = (n: number): HTMLElement => el("td", { class: "number", text: n > 0 ? number(n) : t("ledger.tooMany") });
        body.append(el("tr", {}, el("th", { scope: "row", text: String(free) }), el("td", { class: "number", text: String(r.budget) }), cell(r.off), cell(r.node), cell(r.candidate), el("td", { class: "number", text: r.candidate > 0 ? number(r.completions) : "–" })));
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

// Destroy and repair: the loop of the alns package in slow motion.
import { BoardView, Mark } from "../board";
import { Chart } from "../chart";
import { button, checkbox, el, field, reducedMotion, scroll, select, slider } from "../dom";
import { edgesOf, type Puzzle } from "../engine";
import type { Lab, Room } from "../room";
import { number, t, type Key } from "../texts";
import { Ticker } from "../ticker";

interface Choices {
  operators: string[];
  portfolio: string[];
  repairs: string[];
  selections: string[];
  acceptances: string[];
  repair: string;
  selection: string;
  acceptance: string;
  temperature: number;
}

interface Operator {
  name: string;
  weight: number;
  uses: number;
  gain: number;
}

interface Iteration {
  operator: string;
  lifted: [cell: number, code: number][];
  filled: [cell: number, code: number][];
  before: number;
  proposed: number;
  after: number;
  outcome: "rejected" | "unchanged" | "sideways" | "better" | "best";
  verdict: string;
}

interface State {
  iterations: number;
  score: number;
  best: number;
  solved: boolean;
  board: number[];
  operators: Operator[];
  points: { iteration: number; score: number; best: number }[];
  last: Iteration | null;
}

interface Opened extends State {
  puzzle: Puzzle;
  text: string;
}

interface Bundled {
  records: { name: string; score: number; size: string }[];
  solved: { name: string; score: number; size: string }[];
}

interface Question {
  board: string;
  seed: number;
  damage: number;
  operators: string[];
  repair: string;
  selection: string;
  acceptance: string;
  temperature: number;
}

// How an iteration is shown at each speed: milliseconds of a phase and of a piece;
// 0 shows none. Iterations are those of a frame, 0 as many as a frame has time for.
const speeds = [
  { phase: 900, piece: 260, iterations: 1 },
  { phase: 350, piece: 70, iterations: 1 },
  { phase: 90, piece: 16, iterations: 1 },
  { phase: 0, piece: 0, iterations: 1 },
  { phase: 0, piece: 0, iterations: 32 },
  { phase: 0, piece: 0, iterations: 0 },
] as const;
const frameTime = 14; // milliseconds that a frame gives the engine
const most = 1 << 20;

/** A show plays one iteration: at a time in milliseconds it says what is to be seen. */
class Show {
  private at = -1;

  constructor(
    private readonly it: Iteration,
    private readonly begin: number,
    private readonly phase: number,
    private readonly piece: number,
  ) {}

  /** frame returns false when all has been shown. */
  frame(now: number, draw: (moment: "draw" | "destroy" | "fill" | "judge", pieces: number) => void): boolean {
    const k = this.it.filled.length;
    const spent = now - this.begin;
    const fill = spent - 2 * this.phase;
    let moment = 0; // 0 draw, 1 destroy, 2 to k+1 pieces, k+2 judged
    if (spent >= this.phase) moment = 1;
    if (fill >= 0) moment = 1 + Math.min(k, 1 + Math.floor(fill / Math.max(1, this.piece)));
    if (fill >= k * this.piece) moment = k + 2;
    if (moment !== this.at) {
      this.at = moment;
      if (moment === 0) draw("draw", 0);
      else if (moment === 1) draw("destroy", 0);
      else if (moment < k + 2) draw("fill", moment - 1);
      else draw("judge", k);
    }
    return fill < k * this.piece + 2 * this.phase;
  }
}

function mount(host: HTMLElement, lab: Lab): () => void {
  const engine = lab.engine();
  let puzzle: Puzzle | undefined;
  let question: Question = { board: "", seed: Number(lab.query.get("seed") ?? "1") || 1, damage: 0.6, operators: [], repair: "", selection: "", acceptance: "", temperature: 0 };
  let before: number[] = []; // the board that the shown iteration began with
  let state: State | undefined;
  let defaults: Choices | undefined;
  let portfolio: string[] = [];
  let show: Show | undefined;
  let forced = ""; // operator of the next iteration, by hand
  let byHand = ""; // and of the one that is shown
  let begun = 0; // how often the board was set up: what was asked before is out of date
  let speed = 1;
  let points: number[][] = [[], [], []];
  let ran = { iterations: 0, since: 0 }; // for the rate

  const view = new BoardView(engine, t("repair.title"));
  const chart = new Chart({
    label: t("repair.trace"), x: t("repair.iterations"), y: t("repair.score"),
    lines: [{ label: t("repair.score"), colour: "--line-1" }, { label: t("repair.best"), colour: "--line-2", dash: true }],
  });
  lab.onTheme(() => chart.rebuild());

  const facts = { score: el("dd"), best: el("dd"), iterations: el("dd"), rate: el("dd") };
  const said = el("p", { class: "said", text: t("repair.saidStart") });
  const rows = el("tbody");
  const bars = new Map<string, { row: HTMLElement; bar: HTMLElement; weight: HTMLElement; uses: HTMLElement; gain: HTMLElement }>();

  const ticker = new Ticker(tick, lab.fail);
  const play = button(t("repair.play"), () => (ticker.running ? pause() : go()), { class: "primary", "data-do": "play" });
  const step = button(t("repair.step"), () => once(""), { "data-do": "step" });
  const damage = button(t("repair.damage"), () => void hurt().catch(lab.fail), { "data-do": "damage" });
  const reset = button(t("repair.reset"), () => void open().catch(lab.fail), { "data-do": "reset" });
  const speedName = el("output", { text: t("repair.speed1") });
  const speedSlider = slider(0, speeds.length - 1, speed, (v) => {
    speed = v;
    const name = t(`repair.speed${v}` as Key);
    speedName.textContent = name;
    speedSlider.setAttribute("aria-valuetext", name);
    rateFromHere();
  });
  speedSlider.setAttribute("aria-valuetext", t("repair.speed1"));
  const controls = [play, step, damage, reset];
  for (const b of controls) b.disabled = true;

  const setup = el("form", { class: "setup" });
  const command = el("code");
  const panel = el(
    "section", { class: "panel", "aria-label": t("repair.controls") },
    el("div", { class: "buttons" }, play, step, damage, reset),
    el("div", { class: "inline" }, field(t("repair.speed"), speedSlider), speedName),
    el("dl", { class: "facts" }, ...([["score", facts.score], ["best", facts.best], ["iterations", facts.iterations], ["rate", facts.rate]] as const)
      .map(([name, dd]) => el("div", {}, el("dt", { text: t(`repair.${name}` as Key) }), dd))),
    el("h2", { text: t("repair.said") }), said,
    el("h2", { text: t("repair.operators") }),
    scroll(t("repair.operators"), el("table", { class: "operators" },
      el("thead", {}, el("tr", {}, ...(["operator", "force", "weight", "uses", "gain"] as const).map((k) => el("th", { scope: "col", text: t(`repair.${k}`) })))), rows)),
    el("h2", { text: t("repair.trace") }), chart.element,
  );
  host.append(
    el("div", { class: "intro" }, el("h1", { text: t("repair.title") }), el("p", { text: t("repair.intro") })),
    el("div", { class: "split" }, el("div", { class: "stage" }, view.element), panel),
    el("details", {}, el("summary", { text: t("repair.setup") }), setup),
    el("details", { class: "command" }, el("summary", { text: t("repair.command") }), command),
  );

  void start().catch(lab.fail);

  async function start(): Promise<void> {
    const [choices, bundled] = await Promise.all([engine.call<Choices>("repair.choices"), engine.call<Bundled>("boards")]);
    defaults = choices;
    question.operators = portfolio = choices.portfolio;
    build(choices, bundled);
    await open();
    host.dataset["ready"] = "true";
  }

  /** build fills the form of boards, portfolios and rules. */
  function build(choices: Choices, bundled: Bundled): void {
    let board = "";
    const paste = el("textarea", { rows: "3", spellcheck: "false" });
    const pasteField = field(t("repair.paste"), paste);
    pasteField.hidden = true;
    const source = select(
      [["", t("repair.small")], ...[...bundled.records, ...bundled.solved].map((b) => [b.name, `${b.name} (${b.size}, ${b.score})`] as const), ["paste", t("repair.pasted")]],
      board, (v) => {
        board = v;
        pasteField.hidden = v !== "paste";
      });
    const left = select([["0.6", "60 %"], ["0.8", "80 %"], ["0.9", "90 %"], ["0", t("repair.asIs")]], "0.6", () => {});
    const seed = el("input", { type: "number", min: "0", max: "9007199254740991", step: "1", value: String(question.seed) });
    const repair = select(choices.repairs.map((n) => [n, n] as const), choices.repair, () => {});
    const selection = select(choices.selections.map((n) => [n, n] as const), choices.selection, () => {});
    const acceptance = select(choices.acceptances.map((n) => [n, n] as const), choices.acceptance, () => {});
    const temperature = el("input", { type: "number", min: "0.01", max: "100", step: "any", value: String(choices.temperature) });
    const picked = new Set(choices.portfolio);
    const portfolio = el("fieldset", {}, el("legend", { text: t("repair.portfolio") }),
      ...choices.operators.map((n) => checkbox(n, picked.has(n), (on) => void (on ? picked.add(n) : picked.delete(n)))));
    setup.append(
      field(t("repair.source"), source), pasteField, field(t("repair.left"), left), field(t("repair.seed"), seed, t("repair.seedHint")),
      field(t("repair.repair"), repair), field(t("repair.selection"), selection), field(t("repair.acceptance"), acceptance),
      field(t("repair.temperature"), temperature, t("repair.temperatureHint")), portfolio,
      el("button", { type: "submit", class: "primary", text: t("repair.apply") }),
    );
    setup.addEventListener("submit", (e) => {
      e.preventDefault();
      question = {
        board: board === "paste" ? paste.value : board, seed: seed.valueAsNumber || 0, damage: Number(left.value),
        operators: choices.operators.filter((n) => picked.has(n)),
        repair: repair.value, selection: selection.value, acceptance: acceptance.value, temperature: temperature.valueAsNumber || 0,
      };
      void open().catch(lab.fail);
    });
  }

  async function open(): Promise<void> {
    pause();
    lab.clear();
    show = undefined;
    begun++;
    const o = await engine.call<Opened>("repair.open", question);
    puzzle = o.puzzle;
    bars.clear();
    rows.replaceChildren(...o.operators.map((op) => {
      const r = { row: el("tr"), bar: el("span", { class: "meter" }), weight: el("td", { class: "number" }), uses: el("td", { class: "number" }), gain: el("td", { class: "number" }) };
      const press = button(t("repair.force"), () => once(op.name), { "aria-label": t("repair.forceNamed", { name: op.name }), "data-force": op.name, class: "small" });
      r.weight.append(r.bar, el("span"));
      r.row.append(el("th", { scope: "row", text: op.name }), el("td", {}, press), r.weight, r.uses, r.gain);
      bars.set(op.name, r);
      return r.row;
    }));
    points = [[], [], []];
    said.textContent = t("repair.saidStart");
    command.textContent = `lastmile polish '${o.text}' --streams 1 --seed ${question.seed} --iterations 200${flags()}`;
    take(o);
    await settle();
    for (const b of controls) b.disabled = false;
    lab.setQuery({ seed: String(question.seed) });
  }

  /** flags are what differs from the default on the command line. */
  function flags(): string {
    let text = question.operators.join() === portfolio.join() ? "" : ` --operators ${question.operators.join(",")}`;
    for (const name of ["repair", "selection", "acceptance"] as const) if (question[name] && question[name] !== defaults?.[name]) text += ` --${name} ${question[name]}`;
    if (question.temperature && question.temperature !== defaults?.temperature && (question.acceptance === "" || question.acceptance === "annealing")) text += ` --temperature ${question.temperature}`;
    return text;
  }

  /** take enters an answer of the engine. */
  function take(s: State): void {
    state = s;
    if (s.points[0]?.iteration === 0) points = [[], [], []];
    for (const p of s.points) [p.iteration, p.score, p.best].forEach((v, i) => points[i]!.push(v));
  }

  /** settle shows the board and all numbers as they are. */
  async function settle(): Promise<void> {
    if (!state || !puzzle) return;
    numbers(state, puzzle);
    view.setMarks(new Map());
    await view.show(puzzle.width, puzzle.height, edgesOf(puzzle, state.board), puzzle.clues);
    before = state.board;
  }

  function numbers(s: State, p: Puzzle): void {
    facts.score.textContent = t("repair.of", { score: s.score, max: p.max });
    facts.best.textContent = number(s.best);
    facts.iterations.textContent = number(s.iterations);
    host.dataset["iterations"] = String(s.iterations);
    host.dataset["best"] = String(s.best);
    view.setLabel(t("repair.board", { score: s.score, max: p.max }));
    for (const o of s.operators) {
      const r = bars.get(o.name);
      if (!r) continue;
      r.bar.style.setProperty("--share", String(o.weight));
      r.weight.lastElementChild!.textContent = `${number(100 * o.weight, 1)} %`;
      r.uses.textContent = number(o.uses);
      r.gain.textContent = number(o.gain);
    }
    chart.set([[...points[0]!, s.iterations], [...points[1]!, s.score], [...points[2]!, s.best]]);
  }

  function mark(operator: string | undefined): void {
    for (const [name, r] of bars) r.row.classList.toggle("drawn", name === operator);
  }

  /** draw shows a moment of the iteration that was just done. */
  function draw(it: Iteration, moment: "draw" | "destroy" | "fill" | "judge", pieces: number): void {
    if (!puzzle || !state) return;
    mark(it.operator);
    const codes = [...before];
    const marks = new Map<number, number>();
    if (moment === "draw") say(it.operator === byHand ? t("repair.saidForced", { operator: it.operator }) : t("repair.saidDraw", { operator: it.operator }));
    if (moment === "destroy" || moment === "fill") {
      for (const [cell] of it.lifted) {
        codes[cell] = -1;
        marks.set(cell, Mark.hole);
      }
      it.filled.slice(0, pieces).forEach(([cell, code], i) => {
        codes[cell] = code;
        marks.set(cell, i === pieces - 1 ? Mark.fresh : 0);
      });
      say(moment === "destroy" ? t("repair.saidDestroy", { cells: it.lifted.length }) : t("repair.saidFill", { n: pieces, cells: it.filled.length }));
    }
    if (moment === "judge") {
      for (const [cell] of it.lifted) marks.set(cell, it.outcome === "rejected" ? Mark.bad : Mark.good);
      judge(it);
      numbers(state, puzzle);
      void view.show(puzzle.width, puzzle.height, edgesOf(puzzle, state.board), puzzle.clues);
    } else void view.show(puzzle.width, puzzle.height, edgesOf(puzzle, codes), puzzle.clues);
    view.setMarks(marks);
  }

  function say(text: string): void {
    said.textContent = text;
  }

  function judge(it: Iteration): void {
    const text = t(`repair.outcome.${it.outcome}`, { before: it.before, after: it.after, proposed: it.proposed });
    say(it.verdict === "optimal" ? `${text} ${t("repair.optimal")}` : text);
    if (!ticker.running || onlyOne) lab.announce(`${it.operator}. ${said.textContent ?? ""}`);
  }

  let onlyOne = false;

  async function tick(now: number): Promise<void> {
    if (show && state?.last) {
      const it = state.last;
      if (show.frame(now, (moment, pieces) => draw(it, moment, pieces))) return;
      show = undefined;
      await settle();
      mark(undefined);
      if (state.solved) end();
      else if (onlyOne) pause();
      return;
    }
    const s = speeds[speed]!;
    const showing = s.phase > 0 && !reducedMotion();
    const asked = begun;
    byHand = forced;
    forced = "";
    const answer = await engine.call<State>("repair.step", {
      iterations: onlyOne || showing ? 1 : s.iterations || most, ms: onlyOne || showing || s.iterations > 0 ? 0 : frameTime, force: byHand, show: onlyOne || showing,
    });
    if (asked !== begun) return;
    const done = answer.iterations - (state?.iterations ?? 0);
    take(answer);
    ran.iterations += done;
    facts.rate.textContent = number((1000 * ran.iterations) / Math.max(1, performance.now() - ran.since));
    if (answer.last && showing) {
      show = new Show(answer.last, now, s.phase, s.piece);
      return;
    }
    await settle();
    if (answer.last) judge(answer.last);
    else say(t("repair.saidRun", { iterations: answer.iterations, best: answer.best }));
    if (answer.solved) end();
    else if (onlyOne) pause();
  }

  function end(): void {
    pause();
    say(t("repair.solved", { iterations: state?.iterations ?? 0 }));
    lab.announce(said.textContent ?? "");
    play.disabled = step.disabled = true;
  }

  function rateFromHere(): void {
    ran = { iterations: 0, since: performance.now() };
  }

  function go(): void {
    onlyOne = false;
    rateFromHere();
    play.textContent = t("repair.pause");
    ticker.start();
  }

  function pause(): void {
    ticker.stop();
    onlyOne = false;
    play.textContent = t("repair.play");
  }

  /** once runs one iteration, with an operator by hand if it is named. */
  function once(operator: string): void {
    if (state?.solved) return;
    const was = ticker.running && !onlyOne;
    forced = operator;
    if (was) return; // the next iteration of the run takes it
    show = undefined; // an iteration that was paused is over
    onlyOne = true;
    rateFromHere();
    ticker.start();
  }

  async function hurt(): Promise<void> {
    show = undefined;
    begun++;
    take(await engine.call<State>("repair.damage", { damage: question.damage || 0.6 }));
    play.disabled = step.disabled = false;
    say(t("repair.saidStart"));
    await settle();
  }

  return () => {
    ticker.stop();
    view.close();
    chart.close();
  };
}

export const repair: Room = { id: "repair", title: "repair.title", mount };

// Cycles: what carries one board to another, a move at a time.
import { BoardView, Mark, type Path } from "../board";
import { Chart } from "../chart";
import { button, checkbox, el, field, scroll, select, slider } from "../dom";
import type { Lab, Room } from "../room";
import { number, t } from "../texts";
import { Ticker } from "../ticker";

interface Passing {
  name: string;
  edges: number[];
  score: number;
  boundary: number;
}

interface Opened {
  width: number;
  height: number;
  max: number;
  a: Passing;
  b: Passing;
  turns: number;
  recoloured: boolean;
  moved: number;
  turned: number;
  fixed: number;
  parts: number[];
  chains: { cells: number[] }[];
  turned_cells: number[];
  cycles: { cells: number[]; whole: number; all: { tested: number; at_least_start: number; best: number } }[];
}

interface Profile {
  scores: number[];
  best: number[];
}

const pace = 120; // milliseconds a move
const long = 30; // cells of a loop of which only the last moves are drawn on the way
const trail = 10; // moves
const readable = 60; // cells of loops that are drawn at once; more hide the board
const whole = -1; // in place of a cycle: all parts, one after the other

function mount(host: HTMLElement, lab: Lab): () => void {
  const engine = lab.engine();
  let opened: Opened | undefined;
  let cycle = whole;
  let moves = 0;
  let loops = true;
  let profile: number[] = [];
  let best: number[] = [];
  let last = 0;

  const way = new BoardView(engine, t("cycles.way"));
  const end = new BoardView(engine, t("cycles.end"));
  const a = el("textarea", { rows: "2", spellcheck: "false", "data-do": "a" });
  const b = el("textarea", { rows: "2", spellcheck: "false", "data-do": "b" });
  a.value = "riotte-464";
  b.value = "verhaard-467";
  const said = el("p", { class: "said" });
  const now = el("p", { class: "space" });
  const outlined = el("p", { class: "hint", text: t("cycles.outlined") });
  outlined.hidden = true;
  const which = select([], "", (v) => void choose(Number(v)).catch(lab.fail));
  const steps = slider(0, 0, 0, (v) => void go(v).catch(lab.fail));
  const count = el("output");
  const ticker = new Ticker(tick, lab.fail);
  const play = button(t("cycles.play"), () => (ticker.running ? stop() : start()), { class: "primary", "data-do": "play" });
  const chart = new Chart({
    label: t("cycles.trace"), x: t("cycles.moves"), y: t("cycles.score"),
    lines: [{ label: t("cycles.score"), colour: "--line-1" }, { label: t("cycles.startLine"), colour: "--line-3", dash: true }, { label: t("cycles.here"), colour: "--line-2", points: true }, { label: t("cycles.bestStart"), colour: "--line-4" }],
  });
  lab.onTheme(() => chart.rebuild());
  const rows = el("tbody");
  const form = el("form", { class: "card setup" }, field(t("cycles.a"), a), field(t("cycles.b"), b), el("button", { type: "submit", class: "primary", text: t("cycles.compare") }));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    void open().catch(lab.fail);
  });
  host.append(
    el("div", { class: "intro" }, el("h1", { text: t("cycles.title") }), el("p", { text: t("cycles.intro") })),
    form,
    el("div", { class: "pair space ways" },
      el("section", { class: "card", "aria-label": t("cycles.way") }, el("h2", { text: t("cycles.way") }), way.element),
      el("section", { class: "card end", "aria-label": t("cycles.end") }, el("h2", { text: t("cycles.end") }), end.element),
      el("section", { class: "card", "aria-label": t("cycles.cycle") }, said,
        el("div", { class: "setup" }, field(t("cycles.cycle"), which), checkbox(t("cycles.loops"), loops, (on) => {
          loops = on;
          draw();
        })),
        el("div", { class: "inline" }, field(t("cycles.moves"), steps), count),
        el("div", { class: "buttons" }, play, button(t("cycles.back"), () => {
          stop();
          void go(0).catch(lab.fail);
        })), now, outlined),
      el("section", { class: "card", "aria-label": t("cycles.trace") }, el("h2", { text: t("cycles.trace") }), chart.element)),
    el("section", { class: "card space", "aria-label": t("cycles.table") }, el("h2", { text: t("cycles.table") }),
      scroll(t("cycles.table"), el("table", {}, el("thead", {}, el("tr", {}, ...(["cycle", "length", "whole", "bestPrefix", "reach"] as const).map((k) => el("th", { scope: "col", text: t(`cycles.${k}`) })))), rows))),
  );
  void open().then(() => {
    host.dataset["ready"] = "true";
  }, lab.fail);

  async function open(): Promise<void> {
    stop();
    lab.clear();
    const o = await engine.call<Opened>("cycles.open", { a: a.value.trim(), b: b.value.trim() });
    await end.show(o.width, o.height, Uint8Array.from(o.b.edges));
    opened = o; // from here to choose without a pause, so that no hand comes between
    said.textContent = [
      o.parts.length === 0 ? t("cycles.none") : t("cycles.said", { moved: o.moved, turned: o.turned, fixed: o.fixed, n: o.cycles.length }),
      o.turns > 0 ? t("cycles.normal", { degrees: 90 * o.turns }) : "", o.recoloured ? t("cycles.recoloured") : "",
    ].filter((x) => x !== "").join(" ");
    lab.announce(said.textContent);
    which.replaceChildren(el("option", { value: String(whole), text: t("cycles.everything") }), ...o.cycles.map((c, i) => el("option", { value: String(i), text: t("cycles.cycleOf", { n: i + 1, length: c.cells.length }) })));
    rows.replaceChildren(...o.cycles.map((c, i) => el("tr", {}, el("th", { scope: "row", text: String(i + 1) }), ...[c.cells.length, c.whole].map((v) => el("td", { class: "number", text: number(v) })),
      el("td", { class: "number", text: c.all.tested > 0 ? number(c.all.best) : "–" }), el("td", { class: "number", text: t("cycles.movesOf", { n: c.all.at_least_start, all: c.all.tested }) }))));
    end.setLabel(t("cycles.onB", { score: o.b.score, max: o.max }));
    outlined.hidden = o.turned_cells.length === 0;
    await choose(whole);
  }

  /** stages are the cycles that the slider goes through, and the moves of each. */
  function stages(): { cycle: number; parts: number[]; moves: number }[] {
    const o = opened!;
    if (cycle !== whole) return [{ cycle, parts: [], moves: o.cycles[cycle]!.cells.length }];
    const before = (i: number): number[] => [...Array(i).keys()];
    const all = o.cycles.map((c, i) => ({ cycle: i, parts: before(i), moves: c.cells.length }));
    // What is no cycle, such as pieces turned in place, comes last, each part at once.
    o.parts.slice(o.cycles.length).forEach((_, i) => all.push({ cycle: -1, parts: before(o.cycles.length + i + 1), moves: 1 }));
    return all;
  }

  /** stageAt is where so many moves lead. */
  function stageAt(n: number): { cycle: number; parts: number[]; moves: number } {
    let left = n;
    for (const s of stages()) {
      if (left <= s.moves) return { ...s, moves: s.cycle < 0 ? 0 : left, parts: s.cycle < 0 && left === 0 ? s.parts.slice(0, -1) : s.parts };
      left -= s.moves;
    }
    return { cycle: -1, parts: [], moves: 0 };
  }

  async function choose(i: number): Promise<void> {
    cycle = i;
    const o = opened!;
    const scores = [o.a.score];
    let highest: number[] = [];
    for (const s of stages()) {
      if (s.cycle < 0) {
        scores.push((await engine.call<Passing>("cycles.apply", { parts: s.parts, cycle: -1, start: 0, moves: 0 })).score);
      } else {
        const p = await engine.call<Profile>("cycles.profile", { cycle: s.cycle, start: 0, parts: s.parts });
        scores.push(...p.scores.slice(1));
        highest = p.best;
      }
      if (cycle !== i || opened !== o) return; // another one was chosen meanwhile
    }
    profile = scores;
    best = i === whole ? [] : highest;
    which.disabled = steps.disabled = play.disabled = profile.length === 1;
    steps.max = String(profile.length - 1);
    await go(0);
  }

  function draw(): void {
    const o = opened;
    if (!o) return;
    const at = stageAt(moves);
    const all: Path[] = o.cycles.map((c, i) => ({ cells: c.cells, closed: true, label: String(i + 1) }));
    const chains: Path[] = o.chains.filter((c) => c.cells.length > 1).map((c) => ({ cells: c.cells }));
    const mine = all[at.cycle];
    const few = [...all, ...chains].reduce((n, p) => n + p.cells.length, 0) <= readable;
    // A long loop covers the board: once on the way, its last moves are enough.
    const part = mine && mine.cells.length > long && moves > 0 ? [{ ...mine, closed: false, cells: mine.cells.slice(Math.max(0, at.moves - trail), at.moves + 1) }] : mine ? [mine] : [];
    const shown = !loops ? [] : few && cycle === whole ? [...all, ...chains] : part;
    way.setPaths(shown);
    end.setPaths(shown);
  }

  /** go shows the board after so many moves of the cycle. */
  async function go(n: number): Promise<void> {
    const o = opened;
    if (!o) return;
    moves = n;
    const p = await engine.call<Passing>("cycles.apply", { ...stageAt(n), start: 0 });
    if (moves !== n) return; // the slider has gone on
    steps.value = String(n);
    draw();
    count.textContent = t("cycles.movesOf", { n, all: Math.max(0, profile.length - 1) });
    const change = p.score - o.a.score;
    now.textContent = t("cycles.now", { n, score: p.score, change: `${change > 0 ? "+" : change < 0 ? "−" : "±"}${number(Math.abs(change))}`, boundary: p.boundary });
    steps.setAttribute("aria-valuetext", now.textContent);
    way.setLabel(t("cycles.onA", { score: p.score, max: o.max }));
    host.dataset["score"] = String(p.score);
    const x = profile.map((_, i) => i);
    chart.set([x, profile, x.map(() => o.a.score), x.map((i) => (i === n ? p.score : null)), x.map((i) => best[i - 1] ?? null)]);
    await way.show(o.width, o.height, Uint8Array.from(p.edges));
    const turned = new Map(o.turned_cells.map((c) => [c, Mark.good]));
    for (const v of [way, end]) v.setMarks(turned);
  }

  async function tick(at: number): Promise<void> {
    if (at - last < pace) return;
    last = at;
    if (moves + 1 >= profile.length) return stop();
    await go(moves + 1);
  }

  function start(): void {
    if (moves + 1 >= profile.length) moves = -1;
    play.textContent = t("cycles.pause");
    ticker.start();
  }

  function stop(): void {
    ticker.stop();
    play.textContent = t("cycles.play");
  }

  return () => {
    ticker.stop();
    way.close();
    end.close();
    chart.close();
  };
}

export const cycles: Room = { id: "cycles", title: "cycles.title", mount };

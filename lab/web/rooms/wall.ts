// The wall: a halo grows round the breaks of a board and is decided; a small board
// at its wall is there to be beaten.
import { BoardView, Mark } from "../board";
import { button, el, field, scroll, select, slider } from "../dom";
import { Closed, type Engine, edgesOf, type Puzzle } from "../engine";
import type { Lab, Room } from "../room";
import { number, t } from "../texts";

interface Opened {
  puzzle: Puzzle;
  name: string;
  board: number[];
  score: number;
  breaks: number;
}

interface Decided {
  verdict: "proven" | "found" | "open";
  freed: number;
  by: "exhaustion" | "proof";
  nodes: number;
  steps: number;
  floor: number;
  score: number;
  board: number[];
  text: string;
}

interface Deciding {
  by: "exhaustion" | "proof";
  nodes: number;
  steps: number;
  floor: number;
}

interface Hinted {
  found: boolean;
  radius: number;
  cells: number[];
  score: number;
}

interface Game {
  puzzle: Puzzle;
  board: number[];
  score: number;
  solution: number[];
  freed: number;
}

const firstRadius = 1;
const lastRadius = 6;

/** quoted is a text as one word of a shell. */
const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function mount(host: HTMLElement, lab: Lab): () => void {
  const engine = lab.engine();
  const closers: (() => void)[] = [];
  host.append(el("div", { class: "intro" }, el("h1", { text: t("wall.title") }), el("p", { text: t("wall.intro") })));
  void Promise.all([halo(host, lab, engine, closers), game(host, lab, engine, closers)]).then(() => {
    host.dataset["ready"] = "true";
  }, lab.fail);
  return () => closers.forEach((f) => f());
}

async function halo(host: HTMLElement, lab: Lab, engine: Engine, closers: (() => void)[]): Promise<void> {
  let opened: Opened | undefined;
  let text = "blackwood-470";
  let radius = firstRadius;
  let metric = "chebyshev";
  let goal = "perfect";
  let seconds = 30;
  let freed: number[] = [];
  let running: { engine: Engine; stop: () => void } | undefined;
  let better = ""; // the text of the last board that was found

  const view = new BoardView(engine, t("wall.title"));
  closers.push(() => view.close());
  const paste = el("textarea", { rows: "3", spellcheck: "false" });
  const pasteField = field(t("wall.paste"), paste);
  pasteField.hidden = true;
  const source = select([], "", (v) => {
    pasteField.hidden = v !== "paste";
    if (v === "damaged") void damaged().catch(lab.fail);
    else if (v !== "paste") void open(v).catch(lab.fail);
  });
  const look = button(t("wall.open"), () => void open(paste.value.trim()).catch(lab.fail));
  pasteField.append(look);
  const count = el("output");
  const grow = slider(0, lastRadius, radius, (v) => {
    radius = v;
    void show().catch(lab.fail);
  });
  const metrics = select([["chebyshev", t("wall.chebyshev")], ["manhattan", t("wall.manhattan")]], metric, (v) => {
    metric = v;
    void show().catch(lab.fail);
  });
  const goals = select([["perfect", t("wall.perfect")], ["better", t("wall.better")]], goal, (v) => (goal = v));
  const bound = select([10, 30, 120, 600].map((n) => [String(n), t("wall.secondsOf", { n })] as const), String(seconds), (v) => (seconds = Number(v)));
  const start = button(t("wall.decide"), () => (running ? cancel(t("wall.cancelled")) : void decide()), { class: "primary", "data-do": "decide" });
  const onward = button(t("wall.onward"), () => {
    paste.value = better;
    source.value = "paste";
    pasteField.hidden = false;
    void open(better).catch(lab.fail);
  }, { "data-do": "onward" });
  onward.hidden = true;
  const said = el("p", { class: "said" });
  const command = el("code", {});
  const rows = el("tbody");
  host.append(el("div", { class: "split" }, el("div", { class: "stage" }, view.element),
    el("section", { class: "panel", "aria-label": t("wall.title") },
      field(t("wall.source"), source), pasteField,
      el("div", { class: "inline" }, field(t("wall.radius"), grow), count),
      el("div", { class: "setup" }, field(t("wall.metric"), metrics), field(t("wall.patience"), bound)),
      el("div", { class: "setup" }, field(t("wall.goal"), goals)),
      el("div", { class: "buttons space" }, start, onward), el("div", { class: "setup" }, said), el("div", { class: "command" }, command), el("p", { class: "hint", text: t("wall.reach") }),
      el("h2", { text: t("wall.done") }),
      scroll(t("wall.done"), el("table", {}, el("thead", {}, el("tr", {}, ...(["colRadius", "colFreed", "colGoal", "colVerdict", "colBy", "colSeconds"] as const).map((k) => el("th", { scope: "col", text: t(`wall.${k}`) })))), rows)))));

  closers.push(() => running?.stop());
  const bundled = await engine.call<{ records: { name: string }[] }>("boards");
  source.append(...bundled.records.map((r) => el("option", { value: r.name, text: r.name })), el("option", { value: "damaged", text: t("wall.damaged") }), el("option", { value: "paste", text: t("wall.pasted") }));
  source.value = text;
  await open(text);

  /** damaged is a small board that can be filled better. */
  async function damaged(): Promise<void> {
    await open((await engine.call<{ text: string }>("repair.open", { seed: 3, damage: 0.9 })).text);
  }

  async function open(wanted: string): Promise<void> {
    cancel("");
    lab.clear();
    opened = await engine.call<Opened>("wall.open", { board: wanted });
    text = wanted;
    rows.replaceChildren();
    await show();
  }

  async function lay(o: Opened, board: readonly number[], score: number): Promise<void> {
    view.setLabel(t("wall.board", { score, max: o.puzzle.max, breaks: o.puzzle.max - score, freed: freed.length }));
    await view.show(o.puzzle.width, o.puzzle.height, edgesOf(o.puzzle, board), o.puzzle.clues);
  }

  async function show(): Promise<void> {
    const o = opened;
    if (!o) return;
    const wanted = { radius, metric };
    const cells = await engine.call<number[]>("wall.halo", wanted);
    if (o !== opened || wanted.radius !== radius || wanted.metric !== metric) return; // it has grown on
    freed = cells;
    count.textContent = t("wall.freed", { n: freed.length });
    grow.setAttribute("aria-valuetext", `${radius}: ${count.textContent}`);
    host.dataset["freed"] = String(freed.length);
    await lay(o, o.board, o.score); // a better one may have been shown
    const free = new Set(freed);
    view.setMarks(new Map(o.board.map((_, cell) => [cell, free.has(cell) ? Mark.halo : Mark.dim])));
  }

  function cancel(line: string): void {
    running?.stop();
    running = undefined;
    start.textContent = t("wall.decide");
    said.textContent = line === "" ? t("wall.ask") : line;
    if (line !== "") lab.announce(line);
    command.textContent = "";
    onward.hidden = true;
    delete host.dataset["verdict"];
  }

  async function decide(): Promise<void> {
    const o = opened;
    if (!o) return;
    cancel("");
    lab.clear();
    const e = lab.engine();
    const asked = { radius, metric, goal, seconds };
    let at: Deciding = { by: "exhaustion", nodes: 0, steps: 0, floor: 0 };
    const began = performance.now();
    const tell = (): void => {
      const spent = Math.floor((performance.now() - began) / 1000);
      said.textContent = at.by === "exhaustion" ? t("wall.exhausting", { nodes: at.nodes })
        : at.floor > 0 ? t("wall.climbing", { seconds: spent, steps: at.steps, floor: at.floor, breaks: o.breaks })
        : t("wall.solving", { seconds: spent });
    };
    e.onEvent = (_, data) => {
      at = data as Deciding;
      tell();
    };
    const clock = setInterval(() => {
      if (!document.hidden) tell();
    }, 1000);
    running = { engine: e, stop: () => {
      clearInterval(clock);
      e.close();
    } };
    start.textContent = t("wall.cancel");
    tell();
    lab.announce(t("wall.busy"));
    try {
      await e.call("wall.open", { board: text });
      const d = await e.call<Decided>("wall.decide", asked);
      const took = (performance.now() - began) / 1000;
      cancel("");
      const by = d.by === "proof" ? (d.steps > 0 ? t("wall.byProof", { steps: d.steps }) : t("wall.bySolver")) : t("wall.byExhaustion", { nodes: d.nodes });
      const fewest = { floor: d.floor, best: o.puzzle.max - d.floor };
      if (d.verdict === "proven") said.textContent = t(asked.goal === "perfect" ? "wall.proven" : "wall.provenBest", { freed: d.freed, breaks: o.breaks, by });
      else if (d.verdict === "found") said.textContent = t("wall.found", { score: d.score, max: o.puzzle.max });
      else {
        said.textContent = t(d.floor > 1 ? "wall.undecidedFloor" : "wall.undecided", { seconds: Math.round(took), breaks: o.breaks, ...fewest });
        command.textContent = `lastmile certify ${quoted(text)} --radius ${asked.radius} --metric ${asked.metric} --question ${asked.goal} --time 10m`;
      }
      lab.announce(said.textContent ?? "");
      rows.append(el("tr", {}, el("th", { scope: "row", text: asked.metric === "chebyshev" ? number(asked.radius) : t("wall.manhattanRadius", { n: asked.radius }) }), el("td", { class: "number", text: number(d.freed) }),
        el("td", { text: t(asked.goal === "perfect" ? "wall.isPerfect" : "wall.isBetter") }),
        el("td", { text: d.verdict === "proven" ? t("wall.isProven") : d.verdict === "found" ? t("wall.isFound", { score: d.score }) : t("wall.isOpen") }),
        el("td", { text: by }), el("td", { class: "number", text: number(took, 2) })));
      if (d.verdict === "found") {
        better = d.text;
        onward.hidden = d.score === o.puzzle.max;
        const changed = d.board.flatMap((code, cell) => (code === o.board[cell] ? [] : [[cell, Mark.good] as const]));
        await lay(o, d.board, d.score);
        view.setMarks(new Map(changed));
      }
      host.dataset["verdict"] = d.verdict;
    } catch (error) {
      if (!(error instanceof Closed)) {
        cancel("");
        lab.fail(error);
      }
    }
  }
}

async function game(host: HTMLElement, lab: Lab, engine: Engine, closers: (() => void)[]): Promise<void> {
  let g: Game;
  let chosen = 5;
  let side = chosen; // of the board that is there
  let seed = 1;
  let laid = { side, seed }; // what the board that is there was asked by
  let board: number[] = [];
  let before: number[][] = [];
  let picked = -1;
  let seeking: Engine | undefined;
  let acts: Promise<void> = Promise.resolve();

  const view = new BoardView(engine, t("wall.game"));
  closers.push(() => view.close());
  const intro = el("p", { class: "hint wide" });
  const facts = { score: el("dd"), wall: el("dd"), perfectScore: el("dd"), moves: el("dd") };
  const said = el("p", { class: "said" });
  const size = select([4, 5, 6, 7].map((n) => [String(n), `${n}×${n}`] as const), String(chosen), (v) => {
    chosen = Number(v);
    queue(open);
  });
  const back = button(t("wall.undo"), () => queue(undo), { "data-do": "undo" });
  const ask = button(t("wall.hint"), () => (seeking ? quit() : void hint()), { "data-do": "hint" });
  closers.push(() => seeking?.close());
  host.append(
    el("h2", { class: "section", text: t("wall.game") }), intro,
    el("div", { class: "split" }, el("div", { class: "stage" }, view.element),
      el("section", { class: "panel", "aria-label": t("wall.game") },
        field(t("wall.gameSide"), size),
        el("dl", { class: "facts" }, ...(["score", "wall", "perfectScore", "moves"] as const).map((k) => el("div", {}, el("dt", { text: t(`wall.${k}`) }), facts[k]))),
        el("div", { class: "setup" }, said),
        el("div", { class: "buttons space" },
          button(t("wall.turn"), () => queue(() => turn(picked))), back,
          button(t("wall.restart"), () => queue(() => change([...g.board]))),
          button(t("wall.another"), () => {
            seed++;
            queue(open);
          }),
          ask, button(t("wall.solution"), () => queue(() => change([...g.solution])), { "data-do": "solution" })))));

  view.handle({
    describe,
    press: (cell) => queue(async () => {
      if (picked < 0) pick(cell);
      else if (picked === cell) await turn(cell);
      else await swap(picked, cell);
    }),
    drop: (from, to) => queue(() => swap(from, to)),
    key: (cell, key) => {
      if (key === "Escape" && picked >= 0) pick(-1);
      else if (key === "r" || key === "R") queue(() => turn(picked >= 0 ? picked : cell));
      else return false;
      return true;
    },
    say: lab.announce,
  });

  /** queue does what a hand does after what it did before: the engine may be slower. */
  function queue(act: () => Promise<void>): void {
    acts = acts.then(act).catch(lab.fail);
  }

  function pick(cell: number): void {
    picked = cell;
    view.select(cell);
    if (cell >= 0) lab.announce(t("wall.picked", { cell: describe(cell) }));
  }

  function describe(cell: number): string {
    return t("wall.cell", { row: Math.floor(cell / side) + 1, column: (cell % side) + 1, piece: (board[cell]! >> 2) + 1, breaks: broken(cell) });
  }

  /** at is the colour of a side of a piece that lies so. */
  function at(code: number, s: number): number {
    return g.puzzle.pieces[code >> 2]![(s - (code & 3) + 4) & 3]!;
  }

  /** rim are the sides of a cell on the rim of the board. */
  function rim(cell: number): boolean[] {
    const [x, y] = [cell % side, Math.floor(cell / side)];
    return [y === 0, x === side - 1, y === side - 1, x === 0];
  }

  /** fits tells whether grey lies on the rim, and only there. */
  function fits(cell: number, code: number): boolean {
    return rim(cell).every((grey, s) => (at(code, s) === 0) === grey);
  }

  function broken(cell: number): number {
    return [cell - side, cell + 1, cell + side, cell - 1].filter((n, s) => !rim(cell)[s] && at(board[cell]!, s) !== at(board[n]!, (s + 2) & 3)).length;
  }

  /** turned is the piece on a cell, the next way round that fits it, or -1. */
  function turned(cell: number, piece: number, from: number): number {
    for (let r = from; r < from + 4; r++) if (fits(cell, 4 * piece + (r & 3))) return 4 * piece + (r & 3);
    return -1;
  }

  async function turn(cell: number): Promise<void> {
    if (cell < 0) return say(t("wall.pick"));
    const code = turned(cell, board[cell]! >> 2, (board[cell]! & 3) + 1);
    if (code === board[cell]) return say(t("wall.fixed"));
    await change(board.map((c, i) => (i === cell ? code : c)));
    if (picked >= 0) view.select(picked);
  }

  async function swap(a: number, b: number): Promise<void> {
    pick(-1);
    const [toA, toB] = [turned(a, board[b]! >> 2, board[b]! & 3), turned(b, board[a]! >> 2, board[a]! & 3)];
    if (toA < 0 || toB < 0) return say(t("wall.refused"));
    await change(board.map((c, i) => (i === a ? toA : i === b ? toB : c)));
  }

  async function undo(): Promise<void> {
    const was = before.pop();
    if (was) await change(was, false);
  }

  function quit(): void {
    seeking?.close();
    seeking = undefined;
    ask.textContent = t("wall.hint");
  }

  /** hint shows the smallest halo that can be filled better; a worker of its own seeks it, which can be ended. */
  async function hint(): Promise<void> {
    const e = (seeking = lab.engine());
    ask.textContent = t("wall.cancel");
    say(t("wall.seeking"));
    try {
      await e.call("game.open", laid);
      const h = await e.call<Hinted>("game.hint", { board });
      if (seeking !== e) return;
      quit();
      if (h.cells.length > 0) view.setMarks(new Map(board.map((_, cell) => [cell, h.cells.includes(cell) ? Mark.halo : 0])));
      say(h.found ? t("wall.hinted", { radius: h.radius, freed: h.cells.length, score: h.score })
        : h.cells.length === 0 ? t("wall.solved") : t("wall.unhinted", { radius: h.radius, freed: h.cells.length }));
      host.dataset["hinted"] = String(h.radius);
    } catch (error) {
      if (!(error instanceof Closed)) {
        quit();
        lab.fail(error);
      }
    }
  }

  function say(line: string): void {
    said.textContent = line;
    lab.announce(line);
  }

  /** change lays a board; the engine checks and scores it. */
  async function change(next: number[], remember = true): Promise<void> {
    quit();
    try {
      const p = await engine.call<{ score: number; beaten: boolean; solved: boolean }>("game.play", { board: next });
      if (remember) before.push(board);
      board = next;
      show(p.score);
      say(p.solved ? t("wall.solved") : p.beaten ? t("wall.beaten", { score: p.score }) : t("wall.now", { score: p.score, max: g.puzzle.max }));
      host.dataset["played"] = `${p.score}${p.solved ? " solved" : p.beaten ? " beaten" : ""}`;
    } catch (error) {
      lab.fail(error);
    }
  }

  function show(score: number): void {
    facts.score.textContent = number(score);
    facts.wall.textContent = number(g.score);
    facts.perfectScore.textContent = number(g.puzzle.max);
    facts.moves.textContent = number(before.length);
    back.disabled = before.length === 0;
    view.setMarks(new Map());
    view.setLabel(t("wall.gameBoard", { score, max: g.puzzle.max }));
    void view.show(side, side, edgesOf(g.puzzle, board)).catch(lab.fail);
  }

  async function open(): Promise<void> {
    quit();
    const wanted = { side: chosen, seed };
    g = await engine.call<Game>("game.open", wanted);
    laid = wanted;
    side = g.puzzle.width;
    board = [...g.board];
    before = [];
    pick(-1);
    said.textContent = t("wall.now", { score: g.score, max: g.puzzle.max });
    intro.textContent = t("wall.gameIntro", { freed: g.freed });
    show(g.score);
  }

  await open();
}

export const wall: Room = { id: "wall", title: "wall.title", mount };

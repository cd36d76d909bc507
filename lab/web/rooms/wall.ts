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
  nodes: number;
  score: number;
  board: number[];
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
  let nodes = 1e6;
  let freed: number[] = [];
  let running: Engine | undefined;

  const view = new BoardView(engine, t("wall.title"));
  closers.push(() => view.close());
  const paste = el("textarea", { rows: "3", spellcheck: "false" });
  const pasteField = field(t("wall.paste"), paste);
  pasteField.hidden = true;
  const source = select([], "", (v) => {
    pasteField.hidden = v !== "paste";
    if (v !== "paste") void open(v).catch(lab.fail);
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
  const bound = select([1e6, 1e7, 1e8].map((n) => [String(n), t("wall.nodesOf", { n })] as const), String(nodes), (v) => (nodes = Number(v)));
  const start = button(t("wall.decide"), () => (running ? cancel(t("wall.cancelled")) : void decide()), { class: "primary", "data-do": "decide" });
  const said = el("p", { class: "said" });
  const command = el("code", {});
  const rows = el("tbody");
  host.append(el("div", { class: "split" }, el("div", { class: "stage" }, view.element),
    el("section", { class: "panel", "aria-label": t("wall.title") },
      field(t("wall.source"), source), pasteField,
      el("div", { class: "inline" }, field(t("wall.radius"), grow), count),
      el("div", { class: "setup" }, field(t("wall.metric"), metrics), field(t("wall.nodes"), bound)),
      el("div", { class: "setup" }, field(t("wall.goal"), goals)),
      el("div", { class: "buttons space" }, start), el("div", { class: "setup" }, said), command, el("p", { class: "hint", text: t("wall.reach") }),
      el("h2", { text: t("wall.done") }),
      scroll(t("wall.done"), el("table", {}, el("thead", {}, el("tr", {}, ...(["colRadius", "colFreed", "colGoal", "colVerdict", "colNodes", "colSeconds"] as const).map((k) => el("th", { scope: "col", text: t(`wall.${k}`) })))), rows)))));

  closers.push(() => running?.close());
  const bundled = await engine.call<{ records: { name: string }[] }>("boards");
  source.append(...bundled.records.map((r) => el("option", { value: r.name, text: r.name })), el("option", { value: "paste", text: t("wall.pasted") }));
  source.value = text;
  await open(text);

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
    running?.close();
    running = undefined;
    start.textContent = t("wall.decide");
    said.textContent = line;
    if (line !== "") lab.announce(line);
    command.textContent = "";
  }

  async function decide(): Promise<void> {
    const e = (running = lab.engine());
    start.textContent = t("wall.cancel");
    command.textContent = "";
    const asked = { radius, metric, goal, nodes };
    said.textContent = t("wall.busy", { nodes: 0 });
    e.onEvent = (_, data) => {
      said.textContent = t("wall.busy", { nodes: (data as { nodes: number }).nodes });
    };
    const began = performance.now();
    try {
      await e.call("wall.open", { board: text });
      const d = await e.call<Decided>("wall.decide", asked);
      cancel("");
      const seconds = (performance.now() - began) / 1000;
      if (d.verdict === "proven") said.textContent = t("wall.proven", { freed: d.freed, nodes: d.nodes });
      else if (d.verdict === "found") said.textContent = t("wall.found", { score: d.score });
      else {
        said.textContent = t("wall.undecided", { nodes: d.nodes });
        command.textContent = `lastmile certify ${quoted(text)} --radius ${asked.radius} --metric ${asked.metric} --question ${asked.goal}`;
      }
      host.dataset["verdict"] = d.verdict;
      lab.announce(said.textContent);
      rows.append(el("tr", {}, el("th", { scope: "row", text: String(asked.radius) }), el("td", { class: "number", text: number(d.freed) }),
        el("td", { text: t(asked.goal === "perfect" ? "wall.isPerfect" : "wall.isBetter") }),
        el("td", { text: t(d.verdict === "proven" ? "wall.isProven" : d.verdict === "found" ? "wall.isFound" : "wall.isOpen") }),
        el("td", { class: "number", text: number(d.nodes) }), el("td", { class: "number", text: number(seconds, 2) })));
      if (d.verdict === "found" && opened) await lay(opened, d.board, d.score);
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
  let board: number[] = [];
  let before: number[][] = [];
  let picked = -1;
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
  host.append(
    el("h2", { class: "section", text: t("wall.game") }), intro,
    el("div", { class: "split" }, el("div", { class: "stage" }, view.element),
      el("section", { class: "panel", "aria-label": t("wall.game") },
        field(t("wall.gameSide"), size),
        el("dl", { class: "facts" }, ...(["score", "wall", "perfectScore", "moves"] as const).map((k) => el("div", {}, el("dt", { text: t(`wall.${k}`) }), facts[k]))),
        el("div", { class: "setup" }, said),
        el("div", { class: "buttons space" },
          button(t("wall.turn"), () => queue(() => turn(picked))), button(t("wall.undo"), () => queue(undo)),
          button(t("wall.restart"), () => queue(() => change([...g.board]))),
          button(t("wall.another"), () => {
            seed++;
            queue(open);
          }),
          button(t("wall.solution"), () => queue(() => change([...g.solution])), { "data-do": "solution" })))));

  view.handle({
    describe: (cell) => t("wall.cell", { row: Math.floor(cell / side) + 1, column: (cell % side) + 1, piece: (board[cell]! >> 2) + 1, breaks: broken(cell) }),
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
    if (cell >= 0) lab.announce(t("wall.picked", { cell: `${Math.floor(cell / side) + 1}, ${(cell % side) + 1}` }));
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

  function say(line: string): void {
    said.textContent = line;
    lab.announce(line);
  }

  /** change lays a board; the engine checks and scores it. */
  async function change(next: number[], remember = true): Promise<void> {
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
    view.setLabel(t("wall.gameBoard", { score, max: g.puzzle.max }));
    void view.show(side, side, edgesOf(g.puzzle, board)).catch(lab.fail);
  }

  async function open(): Promise<void> {
    g = await engine.call<Game>("game.open", { side: chosen, seed });
    side = g.puzzle.width;
    board = [...g.board];
    before = [];
    pick(-1);
    said.textContent = "";
    intro.textContent = t("wall.gameIntro", { freed: g.freed });
    show(g.score);
  }

  await open();
}

export const wall: Room = { id: "wall", title: "wall.title", mount };

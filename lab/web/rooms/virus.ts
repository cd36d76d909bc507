// Virus: play against the engine, and see where its search invests.
import { button, checkbox, el, field, scroll, select } from "../dom";
import { Closed, type Engine } from "../engine";
import type { Lab, Room } from "../room";
import { number, t, type Key } from "../texts";

interface State {
  rules: string;
  fen: string;
  width: number;
  height: number;
  cells: { name: string; what: "" | "x" | "o" | "gap" }[];
  side: "x" | "o";
  moves: { text: string; from: string; to: string }[];
  x: number;
  o: number;
  over: boolean;
  last: string;
  played: number;
}

const counted = [
  ["nodes", "virus.nodes"], ["quiet_nodes", "virus.quietNodes"], ["table_cuts", "virus.tableCuts"], ["null_moves", "virus.nullMoves"], ["null_cuts", "virus.nullCuts"],
  ["verified", "virus.verified"], ["zugzwangs", "virus.zugzwangs"], ["reduced", "virus.reduced"], ["again", "virus.again"], ["extended", "virus.extended"],
  ["first_cuts", "virus.firstCuts"], ["later_cuts", "virus.laterCuts"],
] as const satisfies readonly (readonly [string, Key])[];

type Counts = Record<(typeof counted)[number][0], number>;

interface Thought extends Counts {
  settings?: string;
  move: string;
  value: number;
  depth: number;
  line: string[];
  depths?: Thought[];
}

const strengths = [1_000, 10_000, 100_000, 1_000_000];
const compared = ["plain", "null=plain,r=2", "null=checked,r=2", "null=verified,r=3", "late,quiet=2"];
// Here passing would be better than any move, again and again: plain null moves
// value it wrongly at the depth that reaches the end of the game.
const zugzwangs = { fen: "o3o/oox2/o3x/oo1x1/ooo1x x 0 6", depth: 14 };
// The start on 4×4 is a zugzwang, too, but one that null moves see through.
const smallest = { fen: "x2o/4/4/o2x x 0 1", depth: 14 };
const comparedNodes = 4_000_000;

function mount(host: HTMLElement, lab: Lab): () => void {
  let engine: Engine = lab.engine();
  let state: State | undefined;
  let side = 5;
  let rules = "virus";
  let you = "x";
  let nodes = strengths[1]!;
  let from = ""; // of a jump that has begun
  let origin = ""; // FEN that the game began with, "" for the start
  let history: string[] = []; // moves since, to set the game up again
  let busy = false; // the engine searches
  let moving = false; // it is asked to change the game
  let changed = false; // settings, while it was busy
  let games = 0; // begun: an answer about an older one comes too late
  let held: Element | null = null; // what had the focus when its button was disabled
  let comparing: Engine | undefined;
  const settings = { null: "none", r: 2, late: true, quiet: true, singular: false };

  const grid = el("div", { class: "stones", role: "group", "aria-label": t("virus.board"), "aria-describedby": "virus-keys" });
  let cells: HTMLButtonElement[] = [];
  const said = el("p", { class: "said" });
  const thoughts = el("p", { class: "hint" });
  const pass = button(t("virus.pass"), () => void play("").catch(lab.fail));
  const stop = button(t("virus.stop"), () => void halt().catch(lab.fail));
  stop.disabled = true;
  const acting = [
    button(t("virus.new"), () => void open("").catch(lab.fail), { class: "primary" }),
    button(t("virus.undo"), () => void undo().catch(lab.fail)),
    button(t("virus.hint"), () => void hint().catch(lab.fail), { "data-do": "hint" }),
    button(t("virus.go"), () => void reply().catch(lab.fail), { "data-do": "go" }),
  ];
  const invested = el("tbody");
  const byDepth = el("tbody");
  const accounts = el("div", {},
    el("p", { class: "hint", text: t("virus.bars") }), scroll(t("virus.invested"), el("table", {}, invested)),
    el("h2", { text: t("virus.byDepth") }), scroll(t("virus.byDepth"), el("table", {}, columns("depth", "move", "value", "nodes"), byDepth)));
  const none = el("p", { class: "hint", text: t("virus.nothing") });
  const rows = el("tbody");
  const comparison = el("p", { class: "plain" });
  const size = select([4, 5, 6, 7, 8].map((n) => [String(n), `${n}×${n}`] as const), String(side), (v) => {
    side = Number(v);
    void open("").catch(lab.fail);
  });

  const rulesChoice = select([["virus", t("virus.rulesVirus")], ["ataxx", t("virus.rulesAtaxx")]], rules, (v) => {
    rules = v;
    void open("").catch(lab.fail);
  });
  const r = select(["1", "2", "3", "4"].map((n) => [n, n] as const), String(settings.r), (v) => set({ r: Number(v) }));
  r.disabled = true;
  const stopComparing = button(t("virus.stop"), () => {
    comparing?.close();
    comparison.textContent = "";
  }, { "data-do": "compare-stop" });
  stopComparing.disabled = true;
  const depths = select([6, 8, 10, 12, 14].map((n) => [String(n), String(n)] as const), "8", () => {});

  host.append(
    el("div", { class: "intro" }, el("h1", { text: t("virus.title") }), el("p", { text: t("virus.intro") })),
    el("div", { class: "split" }, el("div", { class: "stage" }, grid, said, el("p", { class: "hint", id: "virus-keys", text: t("virus.keys") })),
      el("section", { class: "panel", "aria-label": t("virus.title") },
        el("div", { class: "buttons" }, ...acting, pass, stop), thoughts,
        el("div", { class: "setup" },
          field(t("virus.rules"), rulesChoice),
          field(t("virus.size"), size),
          field(t("virus.you"), select([["x", t("virus.youX")], ["o", t("virus.youO")], ["both", t("virus.youBoth")]], you, (v) => {
            you = v;
            void open("").catch(lab.fail);
          })),
          field(t("virus.strength"), select(strengths.map((n) => [String(n), t("virus.nodesOf", { n })] as const), String(nodes), (v) => (nodes = Number(v))))),
        el("h2", { text: t("virus.invested") }), none, accounts)),
    el("section", { class: "card space", "aria-label": t("virus.settings") }, el("h2", { text: t("virus.settings") }),
      el("div", { class: "setup" },
        field(t("virus.null"), select([["none", t("virus.nullNone")], ["plain", t("virus.nullPlain")], ["checked", t("virus.nullChecked")], ["verified", t("virus.nullVerified")]], "none", (v) => {
          r.disabled = v === "none";
          set({ null: v });
        }), t("virus.nullHint")),
        field(t("virus.r"), r, t("virus.rHint")),
        checkbox(t("virus.late"), settings.late, (on) => set({ late: on })), checkbox(t("virus.quiet"), settings.quiet, (on) => set({ quiet: on })),
        checkbox(t("virus.singular"), settings.singular, (on) => set({ singular: on })))),
    el("section", { class: "card space", "aria-label": t("virus.compare") },
      el("h2", { text: t("virus.compare") }), el("p", { class: "hint", text: t("virus.compareHint") }),
      el("div", { class: "setup" }, field(t("virus.depth"), depths)),
      el("div", { class: "buttons space" },
        button(t("virus.compareGo"), () => void compare().catch(lab.fail), { class: "primary", "data-do": "compare" }), stopComparing,
        button(t("virus.zug"), () => void goTo(zugzwangs).catch(lab.fail), { "data-do": "zug" }),
        button(t("virus.small"), () => void goTo(smallest).catch(lab.fail), { "data-do": "small" })),
      comparison,
      scroll(t("virus.compare"), el("table", {}, columns("colSettings", "move", "value", "depth", "nodes", "nullCuts", "verified", "zugzwangs", "reduced"), rows))),
  );
  accounts.hidden = true;
  grid.addEventListener("keydown", (e) => {
    const at = cells.indexOf(document.activeElement as HTMLButtonElement);
    const way = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[e.key];
    if (at < 0 || !way || !state) return;
    e.preventDefault();
    const { width, height } = state;
    let [x, y] = [at % width, Math.floor(at / width)];
    do [x, y] = [x + way[0], y + way[1]];
    while (x >= 0 && x < width && y >= 0 && y < height && cells[y * width + x]!.disabled); // over walls
    if (x >= 0 && x < width && y >= 0 && y < height) cells[y * width + x]!.focus();
  });
  // One cell of the board is reached by Tab, the others from there by arrows.
  grid.addEventListener("focusin", (e) => {
    for (const c of cells) c.tabIndex = c === e.target ? 0 : -1;
  });
  void open("").then(() => {
    host.dataset["ready"] = "true";
  }, lab.fail);

  function columns(...keys: ("colSettings" | "move" | "value" | "depth" | "nodes" | "nullCuts" | "verified" | "zugzwangs" | "reduced")[]): HTMLElement {
    return el("thead", {}, el("tr", {}, ...keys.map((k) => el("th", { scope: "col", text: t(`virus.${k}`) }))));
  }

  /** notation is the settings as package game writes them. */
  function notation(): string {
    const parts: string[] = [];
    if (settings.null !== "none") parts.push(`null=${settings.null}`, `r=${settings.r}`);
    if (settings.late) parts.push("late");
    if (settings.quiet) parts.push("quiet=2");
    if (settings.singular) parts.push("singular=100");
    return parts.join(",") || "plain";
  }

  function set(change: Partial<typeof settings>): void {
    Object.assign(settings, change);
    if (busy || moving) changed = true;
    else if (state) void restore().catch(lab.fail); // the game goes on under the new settings
  }

  async function open(fen: string): Promise<void> {
    if (busy) await halt();
    lab.clear();
    from = "";
    origin = fen;
    history = [];
    const game = ++games;
    changed = false;
    const opened = await changing(() => engine.call<State>("virus.open", { rules, side, fen, settings: notation() }));
    if (game !== games) return;
    state = opened;
    build();
    show();
    account(undefined);
    thoughts.textContent = "";
    if (fen === "") await answer();
  }

  async function goTo(position: { fen: string; depth: number }): Promise<void> {
    depths.value = String(position.depth);
    rulesChoice.value = rules = "virus";
    await open(position.fen);
    size.value = String((side = state!.width));
    lab.announce(said.textContent ?? "");
  }

  function build(): void {
    const s = state!;
    grid.style.setProperty("--columns", String(s.width));
    cells = s.cells.map((c) => button("", () => void press(c.name).catch(lab.fail), { "data-cell": c.name, tabindex: "-1" }));
    const first = s.cells.findIndex((c) => c.what !== "gap");
    if (first >= 0) cells[first]!.tabIndex = 0;
    grid.replaceChildren(...cells);
  }

  function mine(): boolean {
    return state !== undefined && !state.over && (you === "both" || you === state.side);
  }

  function show(): void {
    const s = state!;
    const targets = new Set(s.moves.filter((m) => m.to !== "" && (from === "" || m.from === from || m.from === "")).map((m) => m.to));
    s.cells.forEach((c, i) => {
      const b = cells[i]!;
      const can = mine() && c.what === "" && targets.has(c.name);
      b.className = `stone ${c.what} ${can ? "can" : ""} ${c.name === from ? "from" : ""} ${s.last !== "" && s.last.endsWith(c.name) ? "last" : ""}`;
      b.disabled = c.what === "gap";
      b.setAttribute("aria-label", c.what === "gap" ? t("virus.cellGap", { cell: c.name }) : c.what === "" ? t(can ? "virus.cellMove" : "virus.cellEmpty", { cell: c.name }) : t("virus.cellStone", { cell: c.name, side: t(`virus.${c.what}`) }));
    });
    said.textContent = s.over ? t("virus.over", { x: s.x, o: s.o }) : t("virus.toMove", { side: t(`virus.side.${s.side}`), x: s.x, o: s.o });
    pass.hidden = !(mine() && s.moves.length === 1 && s.moves[0]!.to === "");
    host.dataset["played"] = String(s.played);
    host.dataset["fen"] = s.fen;
  }

  async function press(cell: string): Promise<void> {
    const s = state;
    if (!s || busy || moving || !mine()) return;
    const to = s.moves.filter((m) => m.to === cell);
    const clone = to.find((m) => m.from === "");
    const jump = to.find((m) => m.from === from);
    if (from !== "" && jump) return play(jump.text);
    if (clone) return play(clone.text);
    const jumps = s.moves.some((m) => m.from === cell);
    from = jumps && from !== cell ? cell : to.length === 1 ? to[0]!.from : "";
    show();
  }

  async function play(move: string): Promise<void> {
    if (!state || busy || moving) return;
    if (await make(move === "" ? state.moves[0]!.text : move)) await answer();
  }

  /** changing holds hands off the game while the engine changes it. */
  async function changing<A>(change: () => Promise<A>): Promise<A> {
    const game = games;
    moving = true;
    try {
      return await change();
    } finally {
      if (game === games) moving = false;
    }
  }

  /** make makes a move, unless the game has ended meanwhile by another's beginning. */
  async function make(move: string): Promise<boolean> {
    const game = games;
    const who = state!.side;
    from = "";
    const next = await changing(() => engine.call<State>("virus.move", { move }));
    if (game !== games) return false;
    state = next;
    history.push(move);
    show();
    lab.announce(`${t("virus.played", { side: t(`virus.side.${who}`), move })} ${said.textContent ?? ""}`);
    if (changed) await restore();
    return game === games;
  }

  /** answer lets the engine move as long as it is its turn. */
  async function answer(): Promise<void> {
    while (state && !state.over && !moving && you !== "both" && state.side !== you) if (!(await reply())) return;
  }

  async function think(): Promise<Thought | undefined> {
    busy = true;
    held = document.activeElement;
    stop.disabled = false;
    for (const b of acting) b.disabled = true;
    engine.onEvent = (_, data) => {
      const d = data as Thought;
      thoughts.textContent = t("virus.thinking", { depth: d.depth, nodes: d.nodes });
    };
    const who = state!.side;
    const asked = engine;
    try {
      if (changed) await restore();
      const x = await engine.call<Thought>("virus.think", { nodes });
      account(x);
      thoughts.textContent = t("virus.found", { move: x.move, value: number(x.value, 1), side: t(`virus.side.${who}`), depth: x.depth, line: x.line.join(" ") });
      return x;
    } catch (error) {
      if (!(error instanceof Closed)) throw error;
      return undefined;
    } finally {
      if (engine === asked) idle(); // else it was stopped, and the game is being set up again
    }
  }

  function idle(): void {
    busy = false;
    stop.disabled = true;
    for (const b of acting) b.disabled = false;
    // A button that is disabled loses the focus; who pressed it wants it back.
    if (document.activeElement === document.body && held instanceof HTMLElement && host.contains(held)) held.focus({ preventScroll: true });
  }

  async function reply(): Promise<boolean> {
    if (busy || moving || !state || state.over) return false;
    const game = games;
    const x = await think();
    return x !== undefined && game === games && make(x.move);
  }

  async function hint(): Promise<void> {
    if (busy || moving || !state || state.over) return;
    if (!(await think())) return;
    lab.announce(thoughts.textContent ?? "");
    if (changed) await restore();
  }

  /** halt ends the worker of a search, and sets the game up in another. */
  async function halt(): Promise<void> {
    engine.close();
    engine = lab.engine();
    stop.disabled = true;
    thoughts.textContent = "";
    await restore();
    idle();
  }

  /** restore sets the game up again, move by move, so that moves can be taken back. */
  async function restore(): Promise<void> {
    const game = games;
    changed = false;
    const now = await changing(async () => {
      let s = await engine.call<State>("virus.open", { rules, side, fen: origin, settings: notation() });
      for (const move of history) if (game === games) s = await engine.call<State>("virus.move", { move });
      return s;
    });
    if (game !== games) return;
    state = now;
    show();
  }

  async function undo(): Promise<void> {
    if (busy || moving || !state) return;
    const game = games;
    await changing(async () => {
      do {
        const before = await engine.call<State>("virus.undo");
        if (game !== games) return;
        state = before;
        history = history.slice(0, state.played);
      } while (state.played > 0 && you !== "both" && state.side !== you);
    });
    if (game !== games) return;
    from = "";
    show();
    lab.announce(said.textContent ?? "");
    if (changed) await restore();
    await answer();
  }

  /** account shows where a search invested, if there was one. */
  function account(x: Thought | undefined): void {
    none.hidden = x !== undefined;
    accounts.hidden = x === undefined;
    if (!x) return;
    const bar = (part: number): HTMLElement => {
      const b = el("span", { class: "meter" });
      b.style.setProperty("--share", String(Math.min(1, part / Math.max(1, x.nodes))));
      return b;
    };
    invested.replaceChildren(...counted.map(([name, text]) =>
      el("tr", { "data-count": name }, el("th", { scope: "row", text: t(text) }), el("td", { class: "number" }, bar(x[name]), number(x[name])))));
    byDepth.replaceChildren(...(x.depths ?? []).map((d) =>
      el("tr", {}, el("th", { scope: "row", text: number(d.depth) }), el("td", { text: d.move }), el("td", { class: "number", text: number(d.value, 1) }), el("td", { class: "number" }, bar(d.nodes), number(d.nodes)))));
  }

  async function compare(): Promise<void> {
    if (!state || state.over) return;
    comparing?.close();
    rows.replaceChildren();
    const e = (comparing = lab.engine());
    const depth = Number(depths.value);
    const add = (x: Thought): void => {
      rows.append(el("tr", {}, el("th", { scope: "row", text: x.settings ?? "" }), el("td", { text: x.move }), ...[x.value, x.depth, x.nodes, x.null_cuts, x.verified, x.zugzwangs, x.reduced].map((v) => el("td", { class: "number", text: number(v, 1) }))));
    };
    e.onEvent = (event, data) => {
      if (event === "virus.compare") add(data as Thought);
    };
    const about = { fen: state.fen, depth };
    delete host.dataset["compared"];
    comparison.textContent = t("virus.comparing", about);
    lab.announce(comparison.textContent);
    stopComparing.disabled = false;
    try {
      await e.call("virus.open", { rules, side, fen: state.fen, settings: "plain" });
      await e.call("virus.compare", { settings: [...new Set([...compared, notation()])], depth, nodes: comparedNodes });
      comparison.textContent = t("virus.compared", about);
      lab.announce(comparison.textContent);
      host.dataset["compared"] = String(rows.childElementCount);
    } catch (error) {
      if (comparing === e) comparison.textContent = "";
      throw error;
    } finally {
      e.close();
      if (comparing === e) {
        comparing = undefined;
        stopComparing.disabled = true;
      }
    }
  }

  return () => {};
}

export const virus: Room = { id: "virus", title: "virus.title", mount };

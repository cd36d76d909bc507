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
}

const strengths = [1_000, 10_000, 100_000, 1_000_000];
const compared = ["plain", "null=plain,r=2", "null=checked,r=2", "null=verified,r=3", "late,quiet=2"];
// Here passing would be better than any move, again and again: plain null moves
// value it wrongly at the depth that reaches the end of the game.
const zugzwangs = { fen: "o3o/oox2/o3x/oo1x1/ooo1x x 0 6", depth: 14 };
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
  let busy = false;
  const settings = { null: "none", r: 2, late: true, quiet: true, singular: false };

  const grid = el("div", { class: "stones", role: "group", "aria-label": t("virus.board") });
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
  const rows = el("tbody");
  const size = select([4, 5, 6, 7, 8].map((n) => [String(n), `${n}×${n}`] as const), String(side), (v) => {
    side = Number(v);
    void open("").catch(lab.fail);
  });

  const rulesChoice = select([["virus", t("virus.rulesVirus")], ["ataxx", t("virus.rulesAtaxx")]], rules, (v) => {
    rules = v;
    void open("").catch(lab.fail);
  });
  const depths = select([6, 8, 10, 12, 14].map((n) => [String(n), String(n)] as const), "8", () => {});

  host.append(
    el("div", { class: "intro" }, el("h1", { text: t("virus.title") }), el("p", { text: t("virus.intro") })),
    el("div", { class: "split" }, el("div", { class: "stage" }, grid, said),
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
        el("h2", { text: t("virus.invested") }),
        scroll(t("virus.invested"), el("table", {}, invested)))),
    el("details", {}, el("summary", { text: t("virus.settings") }),
      el("div", { class: "setup" },
        field(t("virus.null"), select([["none", t("virus.nullNone")], ["plain", t("virus.nullPlain")], ["checked", t("virus.nullChecked")], ["verified", t("virus.nullVerified")]], "none", (v) => set({ null: v }))),
        field(t("virus.r"), select(["1", "2", "3", "4"].map((n) => [n, n] as const), "2", (v) => set({ r: Number(v) }))),
        checkbox(t("virus.late"), settings.late, (on) => set({ late: on })), checkbox(t("virus.quiet"), settings.quiet, (on) => set({ quiet: on })),
        checkbox(t("virus.singular"), settings.singular, (on) => set({ singular: on })))),
    el("section", { class: "card space", "aria-label": t("virus.compare") },
      el("h2", { text: t("virus.compare") }), el("p", { class: "hint", text: t("virus.compareHint") }),
      el("div", { class: "buttons" }, button(t("virus.compareGo"), () => void compare().catch(lab.fail), { "data-do": "compare" }), button(t("virus.zug"), () => void zug().catch(lab.fail), { "data-do": "zug" })),
      el("div", { class: "setup" }, field(t("virus.depth"), depths)),
      scroll(t("virus.compare"), el("table", {}, el("thead", {}, el("tr", {}, ...(["colSettings", "move", "value", "depth", "nodes", "nullCuts", "verified", "zugzwangs", "reduced"] as const).map((k) => el("th", { scope: "col", text: t(`virus.${k}`) })))), rows))),
  );
  grid.addEventListener("keydown", (e) => {
    const at = cells.indexOf(document.activeElement as HTMLButtonElement);
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -(state?.width ?? 0), ArrowDown: state?.width ?? 0 };
    const step = steps[e.key];
    if (at < 0 || step === undefined) return;
    cells[at + step]?.focus();
    e.preventDefault();
  });
  void open("").then(() => {
    host.dataset["ready"] = "true";
  }, lab.fail);

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
    if (state && !busy) void restore().catch(lab.fail); // the game goes on under the new settings
  }

  async function open(fen: string): Promise<void> {
    if (busy) await halt();
    lab.clear();
    from = "";
    origin = fen;
    history = [];
    state = await engine.call<State>("virus.open", { rules, side, fen, settings: notation() });
    build();
    show();
    if (fen === "") {
      invested.replaceChildren();
      thoughts.textContent = "";
      await answer();
    }
  }

  async function zug(): Promise<void> {
    depths.value = String(zugzwangs.depth);
    rulesChoice.value = rules = "virus";
    await open(zugzwangs.fen);
    size.value = String((side = state!.width));
  }

  function build(): void {
    const s = state!;
    grid.style.setProperty("--columns", String(s.width));
    cells = s.cells.map((c) => button("", () => void press(c.name).catch(lab.fail), { "data-cell": c.name }));
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
    said.textContent = s.over ? t("virus.over", { x: s.x, o: s.o }) : t("virus.toMove", { side: t(`virus.${s.side}`), x: s.x, o: s.o });
    pass.hidden = !(mine() && s.moves.length === 1 && s.moves[0]!.to === "");
    host.dataset["played"] = String(s.played);
    host.dataset["fen"] = s.fen;
  }

  async function press(cell: string): Promise<void> {
    const s = state;
    if (!s || busy || !mine()) return;
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
    const s = state!;
    await make(move === "" ? s.moves[0]!.text : move);
    await answer();
  }

  async function make(move: string): Promise<void> {
    const who = state!.side;
    from = "";
    state = await engine.call<State>("virus.move", { move });
    history.push(move);
    show();
    lab.announce(`${t("virus.played", { side: t(`virus.${who}`), move })} ${said.textContent ?? ""}`);
  }

  /** answer lets the engine move as long as it is its turn. */
  async function answer(): Promise<void> {
    while (state && !state.over && you !== "both" && state.side !== you) if (!(await reply())) return;
  }

  async function think(): Promise<Thought | undefined> {
    busy = true;
    stop.disabled = false;
    for (const b of acting) b.disabled = true;
    engine.onEvent = (_, data) => {
      const d = data as Thought;
      thoughts.textContent = t("virus.thinking", { depth: d.depth, nodes: d.nodes });
    };
    const who = state!.side;
    const asked = engine;
    try {
      const x = await engine.call<Thought>("virus.think", { nodes });
      account(x);
      thoughts.textContent = t("virus.found", { move: x.move, value: number(x.value, 1), side: t(`virus.${who}`), depth: x.depth, line: x.line.join(" ") });
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
  }

  async function reply(): Promise<boolean> {
    if (busy || !state || state.over) return false;
    const x = await think();
    if (!x) return false;
    await make(x.move);
    return true;
  }

  async function hint(): Promise<void> {
    if (busy || !state || state.over) return;
    if (await think()) lab.announce(thoughts.textContent ?? "");
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
    state = await engine.call<State>("virus.open", { rules, side, fen: origin, settings: notation() });
    for (const move of history) state = await engine.call<State>("virus.move", { move });
    show();
  }

  async function undo(): Promise<void> {
    if (busy || !state) return;
    do {
      state = await engine.call<State>("virus.undo");
      history = history.slice(0, state.played);
    } while (state.played > 0 && you !== "both" && state.side !== you);
    from = "";
    show();
    await answer();
  }

  function account(x: Thought): void {
    invested.replaceChildren(...counted.map(([name, text]) => {
      const bar = el("span", { class: "meter" });
      bar.style.setProperty("--share", String(Math.min(1, x[name] / Math.max(1, x.nodes))));
      return el("tr", { "data-count": name }, el("th", { scope: "row", text: t(text) }), el("td", { class: "number" }, bar, number(x[name])));
    }));
  }

  async function compare(): Promise<void> {
    if (busy || !state || state.over) return;
    rows.replaceChildren();
    const e = lab.engine();
    const add = (x: Thought): void => {
      rows.append(el("tr", {}, el("th", { scope: "row", text: x.settings ?? "" }), el("td", { text: x.move }), ...[x.value, x.depth, x.nodes, x.null_cuts, x.verified, x.zugzwangs, x.reduced].map((v) => el("td", { class: "number", text: number(v, 1) }))));
    };
    e.onEvent = (event, data) => {
      if (event === "virus.compare") add(data as Thought);
    };
    try {
      await e.call("virus.open", { rules, side, fen: state.fen, settings: "plain" });
      await e.call("virus.compare", { settings: [...new Set([...compared, notation()])], depth: Number(depths.value), nodes: comparedNodes });
      host.dataset["compared"] = String(rows.childElementCount);
    } finally {
      e.close();
    }
  }

  return () => {};
}

export const virus: Room = { id: "virus", title: "virus.title", mount };

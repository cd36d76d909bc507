// A run on the machine that serves the page, as it goes on.
import { BoardView } from "../board";
import { Chart } from "../chart";
import { button, checkbox, el, scroll } from "../dom";
import { edgesOf, type Puzzle } from "../engine";
import type { Lab } from "../room";
import { number, t } from "../texts";
import type { Watch } from "./live";

interface State {
  stage: string;
  detail: string;
  score: number;
  best: number;
  done: number;
  of: number;
  unit: string;
  rate: number;
  operators: { name: string; weight: number }[];
  seconds: number;
  over: boolean;
}

interface Board {
  score: number;
  stage: string;
  stream: number;
  seconds: number;
  board: number[];
}

const mostPoints = 2000;

/** run shows a run. */
export function run(host: HTMLElement, lab: Lab): Watch {
  const engine = lab.engine();
  let puzzle: Puzzle | undefined;
  let boards: Board[] = [];
  let follow = true;
  let points: number[][] = [[], []];

  const view = new BoardView(engine, t("live.title"));
  const said = el("p", { class: "said", role: "status", text: t("live.waiting") });
  const facts = { best: el("dd"), done: el("dd"), rate: el("dd"), time: el("dd") };
  const operators = el("tbody");
  const rows = el("tbody");
  const chart = new Chart({ label: t("live.trace"), x: t("live.time"), y: t("live.score"), lines: [{ label: t("live.best"), colour: "--line-1" }] });
  lab.onTheme(() => chart.rebuild());
  host.append(
    el("div", { class: "intro" }, el("h1", { text: t("live.title") }), el("p", { text: t("live.intro") })),
    el("div", { class: "split" }, el("div", { class: "stage" }, view.element),
      el("section", { class: "panel", "aria-label": t("live.title") },
        said, el("dl", { class: "facts" }, ...(["best", "done", "rate", "time"] as const).map((k) => el("div", {}, el("dt", { text: t(`live.${k}`) }), facts[k]))),
        el("h2", { text: t("live.trace") }), chart.element,
        el("h2", { text: t("live.operators") }), scroll(t("live.operators"), el("table", {}, operators)),
        el("h2", { text: t("live.boards") }), checkbox(t("live.follow"), follow, (on) => {
          follow = on;
          if (on) show(best());
        }),
        scroll(t("live.boards"), el("table", {}, el("thead", {}, el("tr", {}, ...(["score", "stage", "time", "show"] as const).map((k) => el("th", { scope: "col", text: t(`live.${k}`) })))), rows)))));

  function hear(event: string, data: unknown): boolean {
    if (event === "puzzle") {
      puzzle = data as Puzzle;
      host.dataset["ready"] = "true";
    } else if (event === "boards") {
      boards = data as Board[];
      if (points[0]!.length === 0) before(boards);
      table();
      if (follow) show(best());
    } else if (event === "state") {
      state(data as State);
      return (data as State).over;
    }
    return false;
  }

  /** before is the trace up to now, as far as the boards tell it. */
  function before(list: Board[]): void {
    let most = 0;
    for (const b of [...list].sort((x, y) => x.seconds - y.seconds)) {
      most = Math.max(most, b.score);
      points[0]!.push(b.seconds);
      points[1]!.push(most);
    }
  }

  function best(): Board | undefined {
    return boards.reduce<Board | undefined>((a, b) => (a && a.score > b.score ? a : b), undefined);
  }

  function show(b: Board | undefined): void {
    if (!b || !puzzle) return;
    view.setLabel(t("live.board", { score: b.score, max: puzzle.max }));
    host.dataset["score"] = String(b.score);
    void view.show(puzzle.width, puzzle.height, edgesOf(puzzle, b.board), puzzle.clues).catch(lab.fail);
  }

  function table(): void {
    rows.replaceChildren(...[...boards].sort((a, b) => b.score - a.score || b.seconds - a.seconds).map((b) => el("tr", {},
      el("th", { scope: "row", text: number(b.score) }), el("td", { text: `${b.stage} ${b.stream}` }), el("td", { class: "number", text: number(b.seconds, 1) }),
      el("td", {}, button(t("live.show"), () => {
        follow = false;
        host.querySelector<HTMLInputElement>(".check input")!.checked = false;
        show(b);
      }, { class: "small" })))));
  }

  function state(s: State): void {
    const max = puzzle?.max ?? 0;
    said.textContent = s.over ? t("live.over", { best: s.best, max }) : t("live.now", { stage: s.stage, detail: s.detail, best: s.best, max });
    facts.best.textContent = number(s.best);
    facts.done.textContent = s.unit === "" ? "–" : `${number(s.done)}${s.of > 0 ? ` / ${number(s.of)}` : ""} ${s.unit}`;
    facts.rate.textContent = number(s.rate);
    facts.time.textContent = number(s.seconds, 1);
    points[0]!.push(s.seconds);
    points[1]!.push(s.best);
    if (points[0]!.length > mostPoints) points = points.map((c) => c.filter((_, i) => i % 2 === 0));
    chart.set(points);
    operators.replaceChildren(...s.operators.map((o) => {
      const bar = el("span", { class: "meter" });
      bar.style.setProperty("--share", String(o.weight));
      return el("tr", {}, el("th", { scope: "row", text: o.name }), el("td", { class: "number" }, bar, `${number(100 * o.weight, 1)} %`));
    }));
  }

  return {
    hear,
    lost() {
      said.textContent = t("live.lost");
    },
    close() {
      view.close();
      chart.close();
    },
  };
}

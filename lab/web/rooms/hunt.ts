// A hunt, the work of many machines, as it goes on. What it tells is hunt.Status of
// the program as JSON: lists that are empty may be null there.
import { BoardView } from "../board";
import { Chart } from "../chart";
import { button, checkbox, el, scroll } from "../dom";
import { edgesOf, type Engine, type Puzzle } from "../engine";
import { Keep, put, type Row } from "../keep";
import type { Lab } from "../room";
import { language, number, t, type Key } from "../texts";
import type { Watch } from "./live";

type List<A> = A[] | null | undefined;

interface Status {
  name: string;
  archive: string;
  version: string;
  at: string;
  since: string;
  running: boolean;
  stopping: boolean;
  jobs: Jobs;
  boards: number;
  best: number;
  max: number;
  results: number;
  refused: number;
  twice: number;
  workers: List<Worker>;
  campaigns: List<Campaign>;
  top: List<Top>;
  history: List<{ seconds: number; score: number }>;
  trouble: string;
}

interface Jobs {
  open: number;
  queued: number;
  done: number;
  failed: number;
}

interface Worker {
  name: string;
  host: string;
  version: string;
  slots: number;
  busy: number;
  done: number;
  nodes: number;
  iterations: number;
  best: number;
  seen: number;
  skew: number;
  doing: List<Doing>;
}

interface Doing {
  job: string;
  kind: string;
  detail: string;
  done: number;
  of: number;
  unit: string;
  seconds: number;
}

interface Campaign {
  number: number;
  kind: string;
  what: string;
  jobs: Jobs;
  best: number;
  over: boolean;
  arms?: List<Arm>;
  exhausted?: Exhausted | null;
  certified?: { proven: number; found: number; open: number } | null;
}

interface Arm {
  name: string;
  share: number;
  uses: number;
  mean: number;
  best: number;
  seconds: number;
}

interface Exhausted {
  nodes: number;
  completions: number;
  by_breaks: List<number>;
  budget: number;
  complete: boolean;
}

interface Top {
  id: string;
  score: number;
  clues: number;
  found: string;
  worker: string;
  job: string;
  made: string;
  corners: number[];
  codes: List<number>;
  url: string;
  set: string;
}

interface Named extends Puzzle {
  id: string;
}

// When a worker is worth a warning, in seconds.
const silent = 30;
const skewed = 60;

const jobKinds = ["open", "queued", "done", "failed"] as const;
const mostPictures = 24;

/** hunt shows a hunt. */
export function hunt(host: HTMLElement, lab: Lab): Watch {
  const said = el("p", { class: "said", role: "status", text: t("hunt.none") });
  const about = el("p", { class: "hint" });
  const trouble = alarm();
  const summary = facts(["best", "boards", "results", "workers", ...jobKinds, "refused", "twice", "time"]);
  const trace = new Trace();
  const gallery = new Gallery(host, lab);
  const workers = new Workers(lab);
  const campaigns = new Campaigns();
  lab.onTheme(() => trace.chart.rebuild());
  host.append(
    el("div", { class: "intro" }, el("h1", { text: t("hunt.title") }), el("p", { text: t("hunt.intro") })),
    trouble.element,
    el("section", { class: "card", "aria-label": t("hunt.state") }, said, summary.element, about),
    el("div", { class: "split space" }, el("div", { class: "stage" }, gallery.view.element, gallery.hint),
      el("section", { class: "panel", "aria-label": t("hunt.top") }, gallery.element, el("h2", { text: t("hunt.trace") }), trace.chart.element)),
    el("section", { class: "card space", "aria-label": t("hunt.workers") }, el("h2", { text: t("hunt.workers") }), workers.element),
    campaigns.element,
  );

  let best: number | undefined;
  let over = false;

  function show(s: Status): void {
    put(said, over || !s.running ? t("hunt.over") : t(s.stopping ? "hunt.stopping" : "hunt.running"));
    trouble.set(s.trouble);
    const all = s.workers ?? [];
    const lasts = (Date.parse(s.at) - Date.parse(s.since)) / 1000;
    summary.set({
      ...counts(s.jobs), best: s.best < 0 ? "–" : t("hunt.of", { a: s.best, b: s.max }), boards: number(s.boards), results: number(s.results, 2),
      workers: t("hunt.of", { a: all.filter((w) => w.seen <= silent).length, b: all.length }), refused: number(s.refused), twice: number(s.twice), time: duration(lasts),
    });
    put(about, t("hunt.about", { name: s.name, archive: s.archive, version: s.version, since: moment(s.since) }));
    if (best !== undefined && s.best > best) lab.announce(t("hunt.risen", { best: s.best, max: s.max }));
    best = s.best;
    trace.show(s, lasts);
    gallery.show(s.top ?? []);
    workers.show(all, s.version);
    campaigns.show(s.campaigns ?? []);
    host.dataset["at"] = s.at;
  }

  return {
    hear(event, data) {
      if (event === "hunt") {
        if (data !== null) show(data as Status);
        host.dataset["ready"] = "true";
      } else if (event === "puzzle") gallery.know(data as Named);
      else if (event === "over") {
        over = true;
        put(said, t("hunt.over"));
      }
      return over;
    },
    lost: () => put(said, t("live.lost")),
    close() {
      gallery.close();
      trace.chart.close();
    },
  };
}

/** alarm is what keeps the hunt from going on, said at once to everybody. */
function alarm(): { element: HTMLElement; set(text: string): void } {
  const element = el("div", { class: "alert trouble", role: "alert" });
  let shown = "";
  return {
    element,
    set(text) {
      if (text === shown) return; // or it would be said again every second
      shown = text;
      element.replaceChildren(...(text === "" ? [] : [el("p", {}, el("strong", { text: t("hunt.trouble") }), " ", el("span", { text, lang: "en" }))]));
    },
  };
}

/** facts are numbers under their names. */
function facts<K extends string>(keys: readonly (K & Suffix)[]): { element: HTMLElement; set(values: Record<K, string>): void } {
  const cells = keys.map((k) => [k, el("dd", { "data-fact": k })] as const);
  return {
    element: el("dl", { class: "facts" }, ...cells.map(([k, dd]) => el("div", {}, el("dt", { text: t(`hunt.${k}`) }), dd))),
    set(values) {
      for (const [k, dd] of cells) put(dd, values[k]);
    },
  };
}

type Suffix = Key extends infer K ? (K extends `hunt.${infer S}` ? S : never) : never;

const counts = (j: Jobs): Record<(typeof jobKinds)[number], string> => ({ open: number(j.open), queued: number(j.queued), done: number(j.done), failed: number(j.failed) });

const score = (s: number, digits = 0): string => (s < 0 ? "–" : number(s, digits));

const units = [[86400, "day", "days"], [3600, "hour", "hours"], [60, "minute", "minutes"], [1, "second", "seconds"]] as const;

/** unitOf is the largest unit of which there are some. */
const unitOf = (seconds: number): (typeof units)[number] => units.find(([size]) => seconds >= 2 * size) ?? units[3];

/** duration writes seconds as the language does, in the unit that fits. */
function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  const [size, unit] = unitOf(seconds);
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: size > 1 ? 1 : 0 }).format(Math.max(0, seconds) / size);
}

/** moment writes a time as the language does. */
function moment(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1970 ? "–" : at.toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

/** meter is a bar that shows a share. */
function meter(): { element: HTMLElement; set(share: number): void } {
  const element = el("span", { class: "meter", "aria-hidden": "true" });
  return { element, set: (share) => element.style.setProperty("--share", String(Math.max(0, Math.min(1, share)) || 0)) };
}

/** table is a table with a head, in a frame that scrolls. */
function table(label: string, heads: readonly Suffix[], body: HTMLElement, style = ""): HTMLElement {
  const s = scroll(label, el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((k) => el("th", { scope: "col", text: t(`hunt.${k}`) })))), body));
  if (style !== "") s.classList.add(style);
  return s;
}

/** Trace is the best score over time. */
class Trace {
  readonly chart = new Chart({ label: t("hunt.trace"), x: t("hunt.seconds"), y: t("hunt.score"), lines: [{ label: t("hunt.best"), colour: "--line-1" }] });

  /** show draws the score as the steps that it takes, up to now. */
  show(s: Status, lasts: number): void {
    const history = s.history ?? [];
    const last = history.at(-1);
    const end = Math.max(lasts || 0, last?.seconds ?? 0);
    const [size, , unit] = unitOf(end);
    const x: number[] = [];
    const y: number[] = [];
    for (const m of history) {
      if (y.length > 0) {
        x.push(m.seconds / size);
        y.push(y.at(-1)!);
      }
      x.push(m.seconds / size);
      y.push(m.score);
    }
    if (last) {
      x.push(end / size);
      y.push(last.score);
      this.chart.setLabel(t("hunt.traceSaid", { best: last.score, time: duration(last.seconds) }));
    }
    this.chart.setX(t(`hunt.${unit}`));
    this.chart.set([x, y]);
  }
}

/** Gallery is the best boards, one of them drawn large. */
class Gallery {
  readonly view: BoardView;
  readonly hint = el("p", { class: "hint", role: "status" });
  readonly element: HTMLElement;
  private readonly engine: Engine;
  private readonly sets = new Map<string, Named>();
  private readonly list = el("ul", { class: "gallery" });
  private readonly boards: Keep<Top>;
  private readonly numbers = facts(["score", "clues", "worker", "found", "job", "corners"]);
  private readonly made = el("code");
  private readonly link = el("a", { text: t("hunt.link") });
  private readonly details: HTMLElement;
  private readonly followed: HTMLElement;
  private follow = true;
  private top: readonly Top[] = [];
  private shown: Top | undefined;
  private drawn = "";

  constructor(private readonly host: HTMLElement, private readonly lab: Lab) {
    this.engine = lab.engine();
    this.view = new BoardView(this.engine, t("hunt.noBoard"));
    this.draw();
    this.boards = new Keep(this.list, (b) => b.id, (b) => this.item(b));
    this.followed = checkbox(t("hunt.follow"), true, (on) => {
      this.follow = on;
      if (on) this.choose(this.top[0]);
    });
    this.link.target = "_blank";
    this.link.rel = "noopener noreferrer";
    this.details = el("div", {}, this.numbers.element,
      el("p", { class: "command space" }, el("span", { text: t("hunt.made") }), this.made),
      el("div", { class: "buttons" }, button(t("hunt.copy"), () => void this.copy(), { class: "small", "data-do": "copy" }), this.link));
    this.element = el("div", { class: "first" }, el("h2", { text: t("hunt.top") }), this.followed, scroll(t("hunt.top"), this.list), this.details);
    this.element.querySelector(".scroll")!.classList.add("tall");
  }

  /** know enters a piece set. */
  know(set: Named): void {
    this.sets.set(set.id, set);
    this.choose(this.shown);
  }

  show(top: readonly Top[]): void {
    this.top = top;
    // One that was chosen is shown on when it is among the best no more.
    this.choose(this.follow ? top[0] : top.find((b) => b.id === this.shown?.id) ?? this.shown);
  }

  close(): void {
    this.boards.close();
    this.view.close();
  }

  private choose(b: Top | undefined): void {
    this.shown = b;
    this.boards.show(this.top);
    this.details.hidden = b === undefined;
    this.draw();
    if (!b) return;
    const set = this.sets.get(b.set);
    this.numbers.set({
      score: set ? t("hunt.of", { a: b.score, b: set.max }) : number(b.score), clues: number(b.clues), worker: b.worker, found: moment(b.found), job: b.job, corners: b.corners.join(", "),
    });
    put(this.made, b.made);
    const url = safe(b.url);
    this.link.hidden = url === "";
    if (url === "") this.link.removeAttribute("href");
    else if (this.link.href !== url) this.link.href = url;
  }

  /** draw draws the board that is chosen, once its piece set is known. */
  private draw(): void {
    const b = this.shown;
    const set = b && this.sets.get(b.set);
    const codes = b?.codes ?? [];
    const fits = set !== undefined && codes.length === set.width * set.height;
    this.view.element.hidden = !fits;
    put(this.hint, fits ? "" : t(b ? "hunt.noSet" : "hunt.noBoard"));
    if (!b || !fits) return;
    const name = `${b.set} ${b.id}`;
    if (name === this.drawn) return;
    this.drawn = name;
    this.view.setLabel(t("hunt.board", { score: b.score, max: set.max }));
    void this.view.show(set.width, set.height, edgesOf(set, codes), set.clues).then(() => {
      this.host.dataset["board"] = b.id;
      if (this.drawn === name) return;
      this.drawn = ""; // another was chosen, and drawn, while this one waited for its motifs
      this.draw();
    }, this.lab.fail);
  }

  /** item is a board to be chosen. */
  private item(first: Top): Row<Top> {
    const points = el("strong");
    const from = el("span");
    const found = el("span");
    const frame = el("span", { class: "picture-of", "aria-hidden": "true" });
    const press = button("", () => {
      this.follow = false;
      this.followed.querySelector("input")!.checked = false;
      this.choose(this.top.find((b) => b.id === first.id));
      this.lab.announce(t("hunt.board", { score: first.score, max: this.sets.get(first.set)?.max ?? 0 }));
    }, { "data-board": first.id });
    press.append(frame, points, from, found);
    let picture: BoardView | undefined;
    return {
      element: el("li", {}, press),
      set: (b) => {
        press.setAttribute("aria-pressed", String(b.id === this.shown?.id));
        const set = this.sets.get(b.set);
        put(points, set ? t("hunt.of", { a: b.score, b: set.max }) : number(b.score));
        put(from, b.worker);
        put(found, moment(b.found));
        if (picture || !set || b.codes?.length !== set.width * set.height || this.top.indexOf(b) >= mostPictures) return;
        picture = new BoardView(this.engine, "");
        frame.append(picture.element);
        void picture.show(set.width, set.height, edgesOf(set, b.codes), set.clues).catch(this.lab.fail);
      },
      close: () => picture?.close(),
    };
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.made.textContent);
      this.lab.announce(t("hunt.copied"));
    } catch {
      getSelection()?.selectAllChildren(this.made); // a browser without leave to copy: it can be picked up here
    }
  }
}

/** safe is a link to a page, or nothing: what a worker sends may be a script. */
function safe(url: string): string {
  try {
    const u = new URL(url);
    return u.protocol === "https:" || u.protocol === "http:" ? u.href : "";
  } catch {
    return "";
  }
}

/** Workers are the programs that work for the hunt. */
class Workers {
  readonly element: HTMLElement;
  private readonly rows: Keep<Worker>;
  private readonly quiet = new Set<string>();
  private version = "";

  constructor(private readonly lab: Lab) {
    const body = el("tbody", { "data-list": "workers" });
    this.rows = new Keep(body, (w) => w.name, () => this.row());
    this.element = table(t("hunt.workers"), ["worker", "host", "slots", "jobsDone", "nodes", "iterations", "best", "seen", "doing"], body, "tall");
  }

  show(workers: readonly Worker[], version: string): void {
    this.version = version;
    this.rows.show([...workers].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })));
    for (const w of workers) {
      if (w.seen <= silent) this.quiet.delete(w.name);
      else if (!this.quiet.has(w.name)) {
        this.quiet.add(w.name);
        this.lab.announce(t("hunt.silentSaid", { worker: w.name, time: duration(w.seen) }));
      }
    }
  }

  private row(): Row<Worker> {
    const name = el("span");
    const warnings = el("ul", { class: "plain warnings" });
    const warned = new Keep<string>(warnings, (x) => x, (x) => ({ element: el("li", { text: x }), set() {} }));
    const cells = (["host", "slots", "jobsDone", "nodes", "iterations", "best", "seen"] as const).map((k) => [k, el("td", { class: k === "host" ? "host" : "number", "data-of": k })] as const);
    const doing = el("ul", { class: "plain doing" });
    const jobs = new Keep<Doing>(doing, (d) => d.job, atWork);
    const element = el("tr", {}, el("th", { scope: "row" }, name, warnings), ...cells.map(([, td]) => td), el("td", {}, doing));
    return {
      element,
      set: (w) => {
        put(name, w.name);
        element.classList.toggle("silent", w.seen > silent);
        warned.show(this.warnings(w));
        const values = {
          host: w.host, slots: t("hunt.of", { a: w.busy, b: w.slots }), jobsDone: number(w.done), nodes: number(w.nodes), iterations: number(w.iterations), best: score(w.best), seen: duration(w.seen),
        };
        for (const [k, td] of cells) put(td, values[k]);
        jobs.show(w.doing ?? []);
      },
    };
  }

  private warnings(w: Worker): string[] {
    const all: string[] = [];
    if (w.seen > silent) all.push(t("hunt.silent", { time: duration(w.seen) }));
    if (Math.abs(w.skew) > skewed) all.push(t(w.skew > 0 ? "hunt.ahead" : "hunt.behind", { time: duration(Math.abs(w.skew)) }));
    if (w.version !== this.version) all.push(t("hunt.otherVersion", { version: w.version }));
    return all;
  }
}

/** atWork is a job that a worker does. */
function atWork(): Row<Doing> {
  const bar = meter();
  const kind = el("strong");
  const detail = el("span", { lang: "en" });
  const progress = el("span", { class: "number" });
  return {
    element: el("li", {}, kind, " ", detail, " ", bar.element, progress),
    set(d) {
      put(kind, d.kind);
      put(detail, d.detail);
      bar.element.hidden = !(d.of > 0);
      bar.set(d.done / d.of);
      put(progress, `${d.of > 0 ? t("hunt.of", { a: d.done, b: d.of }) : number(d.done)} ${d.unit} · ${duration(d.seconds)}`);
    },
  };
}

/** Campaigns are the series of jobs. */
class Campaigns {
  readonly element = el("div");
  private readonly all = new Keep<Campaign>(this.element, (c) => String(c.number), (c) => campaign(c));

  show(campaigns: readonly Campaign[]): void {
    this.all.show(campaigns);
  }
}

function campaign(first: Campaign): Row<Campaign> {
  const title = t("hunt.campaign", { n: first.number, kind: first.kind });
  const what = el("p", { class: "hint", lang: "en" });
  const state = el("p", { class: "conditions" });
  const numbers = facts([...jobKinds, "best"]);
  const parts = [arms(title), exhausted(title), certified()];
  return {
    element: el("section", { class: "card space", "aria-label": title, "data-campaign": String(first.number) }, el("h2", { text: title }), what, state, numbers.element, ...parts.map((p) => p.element)),
    set(c) {
      put(what, c.what);
      put(state, t(c.over ? "hunt.campaignOver" : "hunt.campaignRuns"));
      numbers.set({ ...counts(c.jobs), best: score(c.best) });
      for (const p of parts) p.set(c);
    },
  };
}

/** arms are the ways to make boards, by their share of the work. */
function arms(title: string): Row<Campaign> {
  const body = el("tbody", { "data-list": "arms" });
  const rows = new Keep<Arm>(body, (a) => a.name, () => {
    const name = el("th", { scope: "row" });
    const bar = meter();
    const share = el("span");
    const cells = [0, 1, 2, 3].map(() => el("td", { class: "number" }));
    return {
      element: el("tr", {}, name, el("td", { class: "number" }, bar.element, share), ...cells),
      set(a) {
        put(name, a.name);
        bar.set(a.share);
        put(share, `${number(100 * a.share, 1)} %`);
        [number(a.uses), a.uses > 0 ? number(a.mean, 1) : "–", score(a.best), duration(a.seconds)].forEach((text, i) => put(cells[i]!, text));
      },
    };
  });
  const element = el("div", {}, el("h3", { text: t("hunt.arms") }), table(`${title}: ${t("hunt.arms")}`, ["arm", "share", "uses", "mean", "best", "work"], body));
  return {
    element,
    set(c) {
      const all = c.arms ?? [];
      element.hidden = all.length === 0;
      rows.show([...all].sort((a, b) => b.share - a.share));
    },
  };
}

/** exhausted is what an exhaustion has counted, and whether that is all there is. */
function exhausted(title: string): Row<Campaign> {
  const verdict = el("p");
  const numbers = facts(["searched", "completions", "budget"]);
  const body = el("tbody", { "data-list": "breaks" });
  const rows = new Keep<[breaks: number, boards: number, most: number]>(body, ([breaks]) => String(breaks), ([breaks]) => {
    const bar = meter();
    const boards = el("span");
    return {
      element: el("tr", {}, el("th", { scope: "row", text: number(breaks) }), el("td", { class: "number" }, bar.element, boards)),
      set([, n, most]) {
        bar.set(n / Math.max(1, most));
        put(boards, number(n));
      },
    };
  });
  const element = el("div", {}, el("h3", { text: t("hunt.exhaustion") }), verdict, numbers.element, table(`${title}: ${t("hunt.byBreaks")}`, ["breaks", "completions"], body));
  return {
    element,
    set(c) {
      const e = c.exhausted;
      element.hidden = !e;
      if (!e) return;
      put(verdict, t(e.complete ? "hunt.complete" : "hunt.incomplete"));
      verdict.className = e.complete ? "good" : "warm";
      numbers.set({ searched: number(e.nodes), completions: number(e.completions), budget: number(e.budget) });
      const by = e.by_breaks ?? [];
      rows.show(by.map((n, i) => [i, n, Math.max(...by)]));
    },
  };
}

/** certified is how many halos were decided, and how. */
function certified(): Row<Campaign> {
  const numbers = facts(["proven", "betterFound", "undecided"]);
  const element = el("div", {}, el("h3", { text: t("hunt.halos") }), numbers.element);
  return {
    element,
    set({ certified: c }) {
      element.hidden = !c;
      if (c) numbers.set({ proven: number(c.proven), betterFound: number(c.found), undecided: number(c.open) });
    },
  };
}

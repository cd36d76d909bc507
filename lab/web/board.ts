// A board on a canvas, drawn with the stamps of the engine: the project's own
// motifs, stamped at the size of a cell in device pixels, so that they are crisp.
import { el } from "./dom";
import type { Engine } from "./engine";

interface Layer {
  fill: string;
  path: string;
  veil: number;
}

interface Stamps {
  unit: number;
  halfs: Record<string, Layer[]>;
  empty: Layer[];
  joint: Layer[];
  clue: Layer[];
  break: Layer[];
}

/** Mark says how a cell is set off; marks add up. */
export const Mark = {
  hole: 1, // dark: its piece was lifted
  fresh: 2, // a light outline: just laid
  halo: 4, // a tint
  dim: 8, // out of the question at the moment
  good: 16, // a green outline
  bad: 32, // a red outline
} as const;

export interface Path {
  cells: readonly number[];
  closed?: boolean;
  label?: string;
  colour?: string;
}

/** Hands are what a visitor can do with a board. */
export interface Hands {
  /** describe says what lies on a cell, for screen readers. */
  describe(cell: number): string;
  /** press is a click or tap, or space or enter at the cursor. */
  press?(cell: number): void;
  /** drop is a drag from one cell to another. */
  drop?(from: number, to: number): void;
  /** over is called for each new cell that a drag comes to, the first too. */
  over?(cell: number): void;
  /** key hears other keys at the cursor, and says whether it used them. */
  key?(cell: number, key: string): boolean;
  say(text: string): void;
}

const none = 255;
const loopColours = ["#ff1830", "#1b74bd", "#2e8b57", "#6f3390", "#e9792f", "#12807d", "#a8234a", "#404956"];

export class BoardView {
  readonly element: HTMLElement;
  private readonly base = el("canvas");
  private readonly over = el("canvas");
  private readonly watch: ResizeObserver;
  private width = 1;
  private height = 1;
  private edges: Uint8Array = new Uint8Array();
  private marks: Uint8Array = new Uint8Array();
  private clues = new Set<number>();
  private paths: readonly Path[] = [];
  private labels: readonly (string | undefined)[] = [];
  private heat: readonly number[] = [];
  private stamps: Stamps | undefined;
  private readonly sprites = new Map<string, OffscreenCanvas>();
  private cell = 0; // device pixels
  private dirty = new Set<number>();
  private frame = 0;
  private cursor = 0;
  private selected = -1;
  private hands: Hands | undefined;
  /** breaks switches the bars over broken seams. */
  private bars = true;

  /** label is what a screen reader calls the board. */
  constructor(private readonly engine: Engine, label: string) {
    this.over.setAttribute("role", "img");
    this.over.setAttribute("aria-label", label);
    this.base.setAttribute("aria-hidden", "true");
    this.element = el("div", { class: "board" }, this.base, this.over);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.element);
  }

  /** setLabel changes what a screen reader calls the board. */
  setLabel(label: string): void {
    this.over.setAttribute("aria-label", label);
  }

  /** show sets the size, the colours by cell (four each, 255 for no piece) and the clues. */
  async show(width: number, height: number, edges: Uint8Array, clues: readonly number[] = []): Promise<void> {
    const colours = new Set<number>([0]);
    for (const c of edges) if (c !== none) colours.add(c);
    const missing = [...colours].filter((c) => this.stamps?.halfs[c] === undefined);
    if (missing.length > 0) {
      const more = await this.engine.call<Stamps>("stamps", { colours: missing });
      this.stamps = this.stamps ? { ...more, halfs: { ...this.stamps.halfs, ...more.halfs } } : more;
    }
    if (width !== this.width || height !== this.height || edges.length !== this.edges.length) {
      this.width = width;
      this.height = height;
      this.edges = edges.slice();
      this.marks = new Uint8Array(width * height);
      this.cursor = Math.min(this.cursor, width * height - 1);
      this.clues = new Set(clues);
      this.element.style.setProperty("--ratio", `${width} / ${height}`);
      this.resize(true);
      return;
    }
    if (clues.length !== this.clues.size || clues.some((c) => !this.clues.has(c))) {
      for (const c of [...this.clues, ...clues]) this.dirty.add(c);
      this.clues = new Set(clues);
    }
    for (let i = 0; i < edges.length; i += 4) {
      for (let s = 0; s < 4; s++) {
        if (edges[i + s] === this.edges[i + s]) continue;
        this.touch(i >> 2);
        break;
      }
    }
    this.edges.set(edges);
    this.paint();
  }

  /** setMarks sets off cells; those that are not named are plain. */
  setMarks(marks: ReadonlyMap<number, number>): void {
    this.marks.forEach((old, cell) => {
      const now = marks.get(cell) ?? 0;
      if (old !== now) this.touch(cell);
      this.marks[cell] = now;
    });
    this.paint();
  }

  /** setPaths draws loops and lines over the cells. */
  setPaths(paths: readonly Path[]): void {
    this.paths = paths;
    this.paint();
  }

  /** setLabels writes a short text on cells. */
  setLabels(labels: readonly (string | undefined)[]): void {
    this.labels = labels;
    this.paint();
  }

  /** setHeat tints cells by a share of 0 to 1. */
  setHeat(heat: readonly number[]): void {
    this.heat = heat;
    this.paint();
  }

  /** setBars switches the bars over broken seams. */
  setBars(bars: boolean): void {
    this.bars = bars;
    this.repaint();
  }

  /** select rings a cell; -1 none. */
  select(cell: number): void {
    this.selected = cell;
    this.paint();
  }

  /** handle lets a visitor work on the board. */
  handle(hands: Hands): void {
    this.hands = hands;
    const c = this.over;
    c.setAttribute("role", "application");
    c.tabIndex = 0;
    c.classList.add("live");
    let from = -1;
    let at = -1;
    c.addEventListener("pointerdown", (e) => {
      from = at = this.cellAt(e);
      if (from < 0) return;
      c.setPointerCapture(e.pointerId);
      this.cursor = from;
      hands.over?.(from);
      this.paint();
    });
    c.addEventListener("pointermove", (e) => {
      if (from < 0) return;
      const cell = this.cellAt(e);
      if (cell < 0 || cell === at) return;
      at = cell;
      hands.over?.(cell);
      if (hands.drop) this.select(from);
    });
    c.addEventListener("pointerup", (e) => {
      const cell = this.cellAt(e);
      if (from >= 0 && cell >= 0) {
        if (cell === from) hands.press?.(cell);
        else {
          this.selected = -1;
          hands.drop?.(from, cell);
        }
      }
      from = -1;
      this.paint();
    });
    c.addEventListener("pointercancel", () => {
      from = -1;
    });
    c.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const [x, y] = [this.cursor % this.width, Math.floor(this.cursor / this.width)];
      const moves: Record<string, [number, number]> = {
        ArrowUp: [x, y - 1], ArrowDown: [x, y + 1], ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y],
        Home: [0, y], End: [this.width - 1, y], PageUp: [x, 0], PageDown: [x, this.height - 1],
      };
      const to = moves[e.key];
      if (to) {
        this.cursor = Math.max(0, Math.min(this.width - 1, to[0])) + this.width * Math.max(0, Math.min(this.height - 1, to[1]));
        hands.say(hands.describe(this.cursor));
      } else if ((e.key === " " || e.key === "Enter") && (hands.press || hands.over)) {
        if (hands.press) hands.press(this.cursor);
        else hands.over?.(this.cursor);
      } else if (!hands.key?.(this.cursor, e.key)) return;
      e.preventDefault();
      this.paint();
    });
    c.addEventListener("focus", () => this.paint());
    c.addEventListener("blur", () => this.paint());
  }

  /** close lets go of what the board watches. */
  close(): void {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
  }

  private cellAt(e: PointerEvent): number {
    const box = this.over.getBoundingClientRect();
    const x = Math.floor(((e.clientX - box.left) / box.width) * this.width);
    const y = Math.floor(((e.clientY - box.top) / box.height) * this.height);
    return x < 0 || y < 0 || x >= this.width || y >= this.height ? -1 : y * this.width + x;
  }

  /** beyond is the cell on a side, or -1. */
  private beyond(cell: number, side: number): number {
    const [x, y] = [cell % this.width, Math.floor(cell / this.width)];
    if (side === 0) return y > 0 ? cell - this.width : -1;
    if (side === 1) return x < this.width - 1 ? cell + 1 : -1;
    if (side === 2) return y < this.height - 1 ? cell + this.width : -1;
    return x > 0 ? cell - 1 : -1;
  }

  private touch(cell: number): void {
    this.dirty.add(cell);
    for (let side = 0; side < 4; side++) {
      const n = this.beyond(cell, side);
      if (n >= 0) this.dirty.add(n); // the bar over the seam lies on both
    }
  }

  private resize(anew = false): void {
    const wide = this.element.clientWidth * devicePixelRatio;
    const cell = Math.max(4, Math.floor(wide / this.width));
    if (cell === this.cell && !anew) return;
    if (cell !== this.cell) this.sprites.clear();
    this.cell = cell;
    for (const c of [this.base, this.over]) {
      c.width = cell * this.width;
      c.height = cell * this.height;
    }
    this.repaint();
  }

  private repaint(): void {
    for (let cell = 0; cell < this.width * this.height; cell++) this.dirty.add(cell);
    this.paint();
  }

  private paint(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const stamps = this.stamps;
    const g = this.base.getContext("2d");
    if (!stamps || !g || this.cell === 0) return;
    for (const cell of this.dirty) this.drawCell(g, stamps, cell);
    if (this.bars) {
      for (const cell of this.dirty) {
        for (let side = 0; side < 4; side++) {
          if (this.broken(cell, side)) this.put(g, stamps, cell, "break", stamps.break, side);
        }
      }
    }
    this.dirty.clear();
    this.drawOver();
  }

  private broken(cell: number, side: number): boolean {
    const n = this.beyond(cell, side);
    if (n < 0) return false;
    const [mine, other] = [this.edges[4 * cell + side], this.edges[4 * n + ((side + 2) & 3)]];
    return mine !== none && other !== none && (mine === 0 || mine !== other);
  }

  private drawCell(g: CanvasRenderingContext2D, stamps: Stamps, cell: number): void {
    const [x, y] = this.corner(cell);
    const mark = this.marks[cell] ?? 0;
    if (this.edges[4 * cell] === none) this.put(g, stamps, cell, "empty", stamps.empty, 0);
    else {
      g.fillStyle = "#1d2129";
      g.fillRect(x, y, this.cell, this.cell);
      for (let side = 0; side < 4; side++) {
        const colour = this.edges[4 * cell + side]!;
        this.put(g, stamps, cell, `half${colour}`, stamps.halfs[colour] ?? [], side);
      }
      this.put(g, stamps, cell, "joint", stamps.joint, 0);
    }
    if (this.clues.has(cell)) this.put(g, stamps, cell, "clue", stamps.clue, 0);
    const heat = this.heat[cell] ?? 0;
    if (heat > 0) this.veil(g, x, y, `rgb(255 24 48 / ${0.15 + 0.6 * heat})`);
    if (mark & Mark.dim) this.veil(g, x, y, "rgb(127 127 127 / 0.62)");
    if (mark & Mark.halo) this.veil(g, x, y, "rgb(40 150 255 / 0.38)");
    if (mark & Mark.hole) this.veil(g, x, y, "rgb(12 14 20 / 0.84)");
    if (mark & Mark.fresh) this.ring(g, x, y, "#ffe14d");
    if (mark & Mark.good) this.ring(g, x, y, "#37d67a");
    if (mark & Mark.bad) this.ring(g, x, y, "#ff1830");
  }

  private corner(cell: number): [number, number] {
    return [(cell % this.width) * this.cell, Math.floor(cell / this.width) * this.cell];
  }

  private veil(g: CanvasRenderingContext2D, x: number, y: number, fill: string): void {
    g.fillStyle = fill;
    g.fillRect(x, y, this.cell, this.cell);
  }

  private ring(g: CanvasRenderingContext2D, x: number, y: number, stroke: string): void {
    const w = Math.max(2, this.cell * 0.07);
    for (const [colour, width] of [["#1d2129", w * 1.7], [stroke, w]] as const) {
      g.strokeStyle = colour;
      g.lineWidth = width;
      g.strokeRect(x + w, y + w, this.cell - 2 * w, this.cell - 2 * w);
    }
  }

  /** put stamps a cell; stamps are kept as pictures of one cell and one side. */
  private put(g: CanvasRenderingContext2D, stamps: Stamps, cell: number, name: string, layers: readonly Layer[], side: number): void {
    const key = `${name}:${side}`;
    const margin = name === "break" ? Math.ceil(this.cell * 0.13) : 0;
    let sprite = this.sprites.get(key);
    if (!sprite) {
      sprite = new OffscreenCanvas(this.cell + 2 * margin, this.cell + 2 * margin);
      const s = sprite.getContext("2d")!;
      s.translate(margin + this.cell / 2, margin + this.cell / 2);
      s.rotate((side * Math.PI) / 2);
      s.scale(this.cell / stamps.unit, this.cell / stamps.unit);
      s.translate(-stamps.unit / 2, -stamps.unit / 2);
      for (const l of layers) {
        s.globalAlpha = l.veil;
        s.fillStyle = l.fill;
        s.fill(new Path2D(l.path));
      }
      this.sprites.set(key, sprite);
    }
    const [x, y] = this.corner(cell);
    g.drawImage(sprite, x - margin, y - margin);
  }

  private drawOver(): void {
    const g = this.over.getContext("2d");
    if (!g) return;
    g.clearRect(0, 0, this.over.width, this.over.height);
    const middle = (cell: number): [number, number] => {
      const [x, y] = this.corner(cell);
      return [x + this.cell / 2, y + this.cell / 2];
    };
    this.paths.forEach((p, i) => {
      if (p.cells.length === 0) return;
      const line = new Path2D();
      p.cells.forEach((cell, j) => (j === 0 ? line.moveTo(...middle(cell)) : line.lineTo(...middle(cell))));
      if (p.closed) line.closePath();
      g.lineJoin = g.lineCap = "round";
      for (const [colour, width] of [["#ffffff", 0.17], [p.colour ?? loopColours[i % loopColours.length]!, 0.1]] as const) {
        g.strokeStyle = colour;
        g.lineWidth = Math.max(2, this.cell * width);
        g.stroke(line);
      }
      if (p.label) this.write(g, p.label, ...middle(p.cells[0]!));
    });
    this.labels.forEach((label, cell) => {
      if (label) this.write(g, label, ...middle(cell));
    });
    if (this.selected >= 0) this.ring(g, ...this.corner(this.selected), "#ffffff");
    if (this.hands && document.activeElement === this.over) this.ring(g, ...this.corner(this.cursor), "#4da3ff");
  }

  private write(g: CanvasRenderingContext2D, text: string, x: number, y: number): void {
    const size = Math.max(9, Math.min(0.34 * this.cell, (1.35 * this.cell) / text.length));
    g.font = `600 ${size}px system-ui, sans-serif`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineWidth = size / 3.5;
    g.strokeStyle = "#ffffff";
    g.strokeText(text, x, y);
    g.fillStyle = "#1d2129";
    g.fillText(text, x, y);
  }
}

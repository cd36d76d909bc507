// Line charts by uPlot, in the colours of the page.
import uPlot from "./vendor/uplot/uPlot.esm.js";
import { el } from "./dom";
import { number } from "./texts";

export interface Line {
  label: string;
  /** colour is a custom property of the page, such as --line-1. */
  colour: string;
  dash?: boolean;
  points?: boolean;
}

export interface ChartOptions {
  label: string; // what a screen reader calls the chart
  x: string;
  y: string;
  lines: readonly Line[];
  height?: number;
  logX?: boolean;
  logY?: boolean;
}

/** Chart is a line chart: columns of numbers, the first the x axis. */
export class Chart {
  readonly element: HTMLElement;
  private plot: uPlot | undefined;
  private data: (number | null)[][];
  private readonly watch: ResizeObserver;
  private frame = 0;
  private x: string;

  constructor(private readonly options: ChartOptions) {
    this.x = options.x;
    this.element = el("div", { class: "chart", role: "img", "aria-label": options.label });
    this.data = [[], ...options.lines.map(() => [])];
    this.watch = new ResizeObserver(() => {
      if (this.plot) this.plot.setSize({ width: this.element.clientWidth, height: this.options.height ?? 200 });
      else this.build();
    });
    this.watch.observe(this.element);
  }

  /** set replaces the columns: x first, then each line. */
  set(data: readonly (readonly (number | null)[])[]): void {
    this.data = data as (number | null)[][];
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.plot?.setData(this.data as uPlot.AlignedData);
    });
  }

  /** setLabel changes what a screen reader calls the chart. */
  setLabel(label: string): void {
    this.element.setAttribute("aria-label", label);
  }

  /** setX changes what the x axis is called. */
  setX(label: string): void {
    if (label === this.x) return;
    this.x = label;
    this.rebuild();
  }

  /** rebuild takes the colours of the page anew. */
  rebuild(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.build();
  }

  close(): void {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    this.plot?.destroy();
  }

  private build(): void {
    if (this.element.clientWidth === 0) return;
    const probe = el("span"); // a custom property may be light-dark(): only a colour in use is settled
    probe.style.display = "none";
    this.element.append(probe);
    const colour = (name: string): string => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    const axis = (label: string): uPlot.Axis => ({
      label,
      labelSize: 18,
      labelFont: "12px system-ui, sans-serif",
      font: "11px system-ui, sans-serif",
      stroke: colour("--soft"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1 },
      values: (_, ticks) => ticks.map((v) => (v === null ? "" : short(v))),
    });
    this.plot = new uPlot(
      {
        width: this.element.clientWidth,
        height: this.options.height ?? 200,
        cursor: { show: false },
        legend: { show: this.options.lines.length > 1, live: false },
        scales: { x: { time: false, ...(this.options.logX ? { distr: 3 as const } : {}) }, y: this.options.logY ? { distr: 3 as const } : { range: (_, low, high) => margin(low, high) } },
        axes: [axis(this.x), { ...axis(this.options.y), size: 54 }],
        series: [
          {},
          ...this.options.lines.map((l) => ({
            label: l.label,
            stroke: colour(l.colour),
            width: 2,
            points: { show: l.points ?? false },
            ...(l.dash ? { dash: [6, 4] } : {}),
          })),
        ],
      },
      this.data as uPlot.AlignedData,
      this.element,
    );
    probe.remove();
  }
}

/** margin leaves room above and below, also of a line that is flat. */
function margin(low: number, high: number): [number, number] {
  const m = Math.max(1, 0.08 * (high - low));
  return [low - m, high + m];
}

function short(v: number): string {
  for (const [unit, name] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]] as const) if (Math.abs(v) >= 10 * unit || v === unit) return number(v / unit, 1) + name;
  return number(v, 2);
}

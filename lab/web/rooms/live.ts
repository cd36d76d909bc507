// Live: what goes on at the machine that serves the page, over server-sent events: a
// run, or a hunt of many machines. The first event tells which.
import { el } from "../dom";
import type { Lab, Room } from "../room";
import { t } from "../texts";
import { hunt } from "./hunt";
import { run } from "./run";

/** Watch shows what is watched. */
export interface Watch {
  /** hear takes an event, and says whether it was the last. */
  hear(event: string, data: unknown): boolean;
  /** lost is called when the connection is; it will be tried again. */
  lost(): void;
  close(): void;
}

/** again is how long to wait, in milliseconds, where the browser does not try again by itself. */
const again = 3000;

const events = ["puzzle", "boards", "state", "hunt", "over"];

function mount(host: HTMLElement, lab: Lab): () => void {
  let watch: Watch | undefined;
  let source: EventSource | undefined;
  let retry = 0;
  let over = false;
  const said = el("p", { class: "said", role: "status", text: t("live.waiting") });
  host.append(el("div", { class: "intro" }, el("h1", { text: t("live.title") })), said);

  function connect(): void {
    if (source || over || document.hidden) return;
    source = new EventSource("live");
    for (const event of events) source.addEventListener(event, (e) => hear(event, (e as MessageEvent<string>).data));
    source.onerror = () => {
      if (watch) watch.lost();
      else said.textContent = t("live.lost");
      if (source?.readyState !== EventSource.CLOSED) return;
      disconnect(); // turned away, as when too many watch
      retry = setTimeout(connect, again);
    };
  }

  function hear(event: string, data: string): void {
    if (!watch) {
      host.replaceChildren();
      watch = event === "hunt" ? hunt(host, lab) : run(host, lab);
    }
    over = watch.hear(event, JSON.parse(data));
    if (over) disconnect();
  }

  function disconnect(): void {
    clearTimeout(retry);
    source?.close();
    source = undefined;
  }

  // A tab that is hidden is told nothing, and so draws nothing.
  const visible = (): void => (document.hidden ? disconnect() : connect());
  document.addEventListener("visibilitychange", visible);
  connect();
  return () => {
    document.removeEventListener("visibilitychange", visible);
    disconnect();
    watch?.close();
  };
}

export const live: Room = { id: "live", title: "live.title", mount };

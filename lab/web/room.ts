import type { Engine } from "./engine";
import type { Key } from "./texts";

/** Lab is what a room gets from the page around it. */
export interface Lab {
  /** engine starts a worker of its own, closed when the room is left. */
  engine(): Engine;
  /** announce lets screen readers say a line. */
  announce(text: string): void;
  /** fail shows an error to everybody until clear is called, or the room is left. */
  fail(error: unknown): void;
  clear(): void;
  /** query is what follows the room in the link; setQuery changes it in place. */
  readonly query: URLSearchParams;
  setQuery(query: Record<string, string>): void;
  /** onTheme calls back when light and dark change. */
  onTheme(changed: () => void): void;
}

/** Room is one page of the lab. Mount fills the host; what it returns is called when the room is left. */
export interface Room {
  id: string;
  title: Key;
  mount(host: HTMLElement, lab: Lab): () => void;
}

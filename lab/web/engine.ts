// The page's side of the engine: calls that are answered in order, and events.
import type { Reply } from "./worker";

let compiled: Promise<WebAssembly.Module> | undefined;

/** fetchModule loads the engine once; every worker runs the same module. */
function fetchModule(): Promise<WebAssembly.Module> {
  compiled ??= (async () => {
    const response = await fetch("engine.wasm.gz");
    if (!response.ok) throw new Error(`engine.wasm.gz: ${response.status}`);
    let data = await response.arrayBuffer();
    const head = new Uint8Array(data, 0, 2);
    if (head[0] === 0x1f && head[1] === 0x8b) {
      // As it is on disk; a server that declares the compression expands it itself.
      const plain = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
      data = await new Response(plain).arrayBuffer();
    }
    return WebAssembly.compile(data);
  })();
  return compiled;
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

/** EngineError is what the engine says of a call: one line, in English. */
export class EngineError extends Error {}

/** Closed is how the calls of an engine end that is closed. */
export class Closed extends Error {}

/** Engine is one worker. Close it when the room is left. */
export class Engine {
  onEvent: (event: string, data: unknown) => void = () => {};
  private readonly worker = new Worker("worker.js", { type: "module" });
  private readonly waiting = new Map<number, Waiting>();
  private readonly ready: Promise<void>;
  private abort: (error: Error) => void = () => {};
  private last = 0;
  private closed = false;

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.abort = reject;
      this.worker.onmessage = (e: MessageEvent<Reply>) => {
        const reply = e.data;
        switch (reply.kind) {
          case "ready":
            resolve();
            break;
          case "event":
            this.onEvent(reply.event, JSON.parse(reply.data));
            break;
          case "answer": {
            const w = this.waiting.get(reply.id);
            this.waiting.delete(reply.id);
            if (reply.error !== "") w?.reject(new EngineError(reply.error));
            else w?.resolve(JSON.parse(reply.answer));
            break;
          }
          case "failed":
            reject(new Error(reply.error));
            this.fail(new Error(reply.error));
        }
      };
      this.worker.onerror = (e) => {
        reject(new Error(e.message));
        this.fail(new Error(e.message));
      };
      fetchModule().then((m) => this.worker.postMessage(m), reject);
    });
    this.ready.catch(() => {});
  }

  /** call asks the engine; calls are answered in the order they are made. */
  async call<A>(method: string, params: object = {}): Promise<A> {
    await this.ready;
    if (this.closed) throw new Closed();
    const id = ++this.last;
    return new Promise<A>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.worker.postMessage({ id, method, params: JSON.stringify(params) });
    });
  }

  /** close ends the worker, whatever it is doing. */
  close(): void {
    this.closed = true;
    this.worker.terminate();
    this.abort(new Closed()); // of calls that wait for the engine to be ready
    this.fail(new Closed());
  }

  private fail(error: Error): void {
    for (const w of this.waiting.values()) w.reject(error);
    this.waiting.clear();
  }
}

/** Puzzle is a piece set, as the engine tells it. */
export interface Puzzle {
  name: string;
  width: number;
  height: number;
  max: number;
  framed: boolean;
  pieces: [number, number, number, number][];
  clues: number[];
}

/** edgesOf turns codes (4*piece + rotation, or -1) into colours, four a cell; 255 is no piece. */
export function edgesOf(p: Puzzle, codes: readonly number[]): Uint8Array {
  const edges = new Uint8Array(4 * codes.length).fill(255);
  codes.forEach((code, cell) => {
    const piece = p.pieces[code >> 2];
    if (code < 0 || piece === undefined) return;
    for (let side = 0; side < 4; side++) edges[4 * cell + side] = piece[(side - (code & 3) + 4) & 3]!;
  });
  return edges;
}

// The worker holds one engine. It answers one call at a time; a page that has
// had enough of a long call ends the worker.
import "wasm_exec";

export interface Request {
  id: number;
  method: string;
  params: string;
}

export type Reply =
  | { kind: "ready" }
  | { kind: "answer"; id: number; answer: string; error: string }
  | { kind: "event"; event: string; data: string }
  | { kind: "failed"; error: string };

interface Scope {
  lastmile: (method: string, params: string) => [string, string];
  lastmileEvent: (event: string, data: string) => void;
  lastmileReady: () => void;
  postMessage(reply: Reply): void;
  onmessage: ((e: MessageEvent<WebAssembly.Module | Request>) => void) | null;
}

const scope = globalThis as unknown as Scope;

scope.lastmileEvent = (event, data) => scope.postMessage({ kind: "event", event, data });
scope.lastmileReady = () => scope.postMessage({ kind: "ready" });

scope.onmessage = async (e) => {
  if (e.data instanceof WebAssembly.Module) {
    try {
      const go = new Go();
      const instance = await WebAssembly.instantiate(e.data, go.importObject);
      await go.run(instance);
      scope.postMessage({ kind: "failed", error: "the engine has ended" });
    } catch (error) {
      scope.postMessage({ kind: "failed", error: String(error) });
    }
    return;
  }
  const { id, method, params } = e.data;
  try {
    const [answer, error] = scope.lastmile(method, params);
    scope.postMessage({ kind: "answer", id, answer, error });
  } catch (error) {
    scope.postMessage({ kind: "answer", id, answer: "", error: String(error) });
  }
};

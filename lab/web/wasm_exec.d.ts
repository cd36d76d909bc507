// What the Go distribution's wasm_exec.js sets.
declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
declare module "wasm_exec" {}

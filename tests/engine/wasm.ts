/** The real module in Node: the same session, without a worker. `npm run build:wasm` makes it. */
import { readFile } from "node:fs/promises";
import { vi } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import { directEngine } from "../../src/engine/directEngine";
import type { WasmModule } from "../../src/engine/wasm";

const WASM = new URL("../../src/engine/pkg/pagewalk_bg.wasm", import.meta.url);

let panic: string | undefined;
Object.assign(globalThis, {
  __pagewalkPanic: (message: string) => {
    panic = message;
  },
});

async function load(): Promise<WasmModule> {
  // The binding keeps its instance in a variable of its module: a fresh one needs a fresh module.
  vi.resetModules();
  const { Session, initSync } =
    await import("../../src/engine/pkg/pagewalk.js");
  const { memory } = initSync({ module: await readFile(WASM) });
  return {
    newSession: () => new Session(),
    cpus: () => Session.cpus(),
    workloads: () => Session.workloads(),
    experiments: () => Session.experiments(),
    checkWorkload: (workload) => Session.checkWorkload(workload),
    memoryBytes: () => memory.buffer.byteLength,
  };
}

export function wasmEngine(): EngineClient {
  return directEngine(load, () => panic);
}

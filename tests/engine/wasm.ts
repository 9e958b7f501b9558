/** The real modules in Node: the same session, without a worker. `npm run build:wasm` makes them. */
import { readFile } from "node:fs/promises";
import { vi } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import { directEngine } from "../../src/engine/directEngine";
import type { Modules, WasmModule } from "../../src/engine/wasm";

const PKG = new URL("../../src/engine/pkg/", import.meta.url);

let panic: string | undefined;
Object.assign(globalThis, {
  __pagewalkPanic: (message: string) => {
    panic = message;
  },
});

async function load(): Promise<Modules> {
  // The bindings keep their instances in variables of their modules: fresh ones need fresh modules.
  vi.resetModules();
  const { Session, initSync } =
    await import("../../src/engine/pkg/first/pagewalk.js");
  const module = await readFile(new URL("first/pagewalk_bg.wasm", PKG));
  const { memory } = initSync({ module });
  const first = {
    newSession: () => new Session(),
    cpus: () => Session.cpus(),
    memoryBytes: () => memory.buffer.byteLength,
  };
  return { first, whole: loadWhole };
}

async function loadWhole(): Promise<WasmModule> {
  const { Session, initSync } =
    await import("../../src/engine/pkg/pagewalk.js");
  const module = await readFile(new URL("pagewalk_bg.wasm", PKG));
  const { memory } = initSync({ module });
  return {
    newSession: () => new Session(),
    cpus: () => Session.cpus(),
    peek: (request, bytes, isWhole) => Session.peek(request, bytes, isWhole),
    workloads: () => Session.workloads(),
    sweepRows: (spec) => Session.sweepRows(spec),
    sweepTable: (lines) => Session.sweepTable(lines),
    experiments: () => Session.experiments(),
    eventFamilies: () => Session.eventFamilies(),
    measure: (text, beside) => Session.measure(text, beside),
    checkWorkload: (workload) => Session.checkWorkload(workload),
    memoryBytes: () => memory.buffer.byteLength,
  };
}

export function wasmEngine(): EngineClient {
  return directEngine(load, () => panic);
}

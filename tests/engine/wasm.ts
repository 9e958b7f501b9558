/** Starts the real modules in Node, with the same session but without a worker. `npm run build:wasm` makes them. */
import { readFile } from "node:fs/promises";
import { vi } from "vitest";
import type { Modules, WasmModule } from "../../src/engine/binding";
import type { EngineClient } from "../../src/engine/client";
import { directEngine } from "../../src/engine/directEngine";

const PKG = new URL("../../src/engine/pkg/", import.meta.url);

let panic: string | undefined;
Object.assign(globalThis, {
  __pagewalkPanic: (message: string) => {
    panic = message;
  },
});

export async function loadModules(): Promise<Modules> {
  // The bindings store their instances in variables of their modules, so new instances need new modules.
  vi.resetModules();
  const { Session, initSync } =
    await import("../../src/engine/pkg/replay/pagewalk.js");
  const module = await readFile(new URL("replay/pagewalk_bg.wasm", PKG));
  const { memory } = initSync({ module });
  const small = {
    newSession: () => new Session(),
    memoryBytes: () => memory.buffer.byteLength,
  };
  return { small, whole: loadWhole };
}

async function loadWhole(): Promise<WasmModule> {
  const { wholeSession, initSync } =
    await import("../../src/engine/pkg/pagewalk.js");
  const module = await readFile(new URL("pagewalk_bg.wasm", PKG));
  const { memory } = initSync({ module });
  return {
    newSession: () => wholeSession(),
    memoryBytes: () => memory.buffer.byteLength,
  };
}

export function wasmEngine(): EngineClient {
  return directEngine(loadModules, () => panic);
}

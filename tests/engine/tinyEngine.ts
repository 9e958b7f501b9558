/** A real engine with a tiny machine, and files for it. */
import { openAsBlob } from "node:fs";
import { afterEach } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import type { Setup } from "../../src/engine/engine";
import type { MachineConfig } from "../../src/engine/generated/MachineConfig";
import type { OsConfig } from "../../src/engine/generated/OsConfig";
import { withDefaults } from "../../src/model/config/defaults";
import { wasmEngine } from "./wasm";

export const os: OsConfig = {
  default: "4K",
  regions: [],
  frames: "sequential",
};

/** A machine with one array of two sets of two ways under FIFO, small enough to follow by hand. */
export const tiny: MachineConfig = withDefaults({
  name: "tiny",
  l1: [{ name: "L1", entries: 4, ways: 2, replacement: "fifo" }],
});

export const lackey = (...lines: string[]) =>
  new Blob([lines.map((line) => `${line}\n`).join("")]);

/** Returns a file with loads of the pages with these numbers. */
export const pages = (...numbers: number[]) =>
  lackey(...numbers.map((n) => ` L ${(n * 4096).toString(16)},8`));

/** The engine of the current test. */
export let engine: EngineClient;
afterEach(() => engine.dispose());

/** Starts the engine of a test. */
export function newEngine(): void {
  engine = wasmEngine();
}

/** Imports a file into a new engine, and runs it on `tiny` with the given changes of the setup. */
export async function start(file: Blob, setup: Partial<Setup> = {}) {
  newEngine();
  const trace = await engine.start("import", { file, name: "test.lackey" });
  const machine = await engine.call("configure", {
    machine: tiny,
    os,
    ...setup,
  });
  return { trace, machine, report: await engine.start("run", {}) };
}

/** Returns the file of an example trace. */
export const packed = (file: string) => openAsBlob(`public/traces/${file}`);

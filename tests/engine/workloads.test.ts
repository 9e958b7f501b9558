import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import { withDefaults } from "../../src/model/config/defaults";
import { wasmEngine } from "./wasm";

let engine: EngineClient;
afterEach(() => engine.dispose());

/** The counts of the native core on its default machine. A Rust test writes the file. */
async function nativeCounts(): Promise<Record<string, unknown>> {
  const file = new URL("../fixtures/workloads.json", import.meta.url);
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}

test("every_workload_is_the_same_in_wasm_and_in_the_native_core", async () => {
  engine = wasmEngine();
  const workloads = await engine.call("workloads", {});
  const found: Record<string, unknown> = {};
  const os = {
    default: "4K",
    regions: [],
    frames: "sequential" as const,
  };
  await engine.call("configure", { machine: withDefaults({}), os });
  for (const { id } of workloads) {
    const params = { accesses: "20000" };
    const trace = await engine.start("generate", { id, params });
    expect(trace.name).toBe(`${id} accesses=20000`);
    const { kinds, walks, cycles } = await engine.start("run", {});
    found[id] = { kinds, walks: walks.walks, refs: walks.refs, cycles };
  }
  expect(found).toEqual(await nativeCounts());
});

test("what_is_wrong_is_told_at_its_parameter", async () => {
  engine = wasmEngine();
  const params = { bytes: "none", seed: "-1" };
  const { errors } = await engine.call("checkWorkload", {
    id: "uniform",
    params,
  });
  expect(errors.map(({ at }) => at)).toEqual([
    { field: "bytes" },
    { field: "seed" },
  ]);
  const good = await engine.call("checkWorkload", {
    id: "uniform",
    params: {},
  });
  expect(good).toEqual({ errors: [], accesses: 1_000_000, bytes: 64 << 20 });
  await expect(
    engine.start("generate", { id: "uniform", params }),
  ).rejects.toThrow(
    expect.objectContaining({ code: "bad-config", at: { field: "bytes" } }),
  );
});

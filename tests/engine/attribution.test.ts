/** Tests of attribution through both modules: the small one has the replay, the whole one counts. */
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { processors } from "../../src/model/config/cpus";
import type { EngineClient } from "../../src/engine/client";
import { wasmEngine } from "./wasm";

let engine: EngineClient;
afterEach(() => engine.dispose());

const chase = async () =>
  new Blob([await readFile("public/traces/chase.pagewalk.gz")]);

async function open() {
  engine = wasmEngine();
  const [cpu] = processors(await engine.call("cpus", {}));
  if (!cpu) throw new Error("There is no CPU.");
  const os = { default: "4K", regions: [], frames: "sequential" } as const;
  await engine.call("configure", {
    machine: cpu.machine,
    os: { ...os, regions: [] },
  });
  return engine.call("open", { file: await chase(), name: "chase" });
}

test("a_shipped_trace_is_attributed_whichever_module_has_it", async () => {
  const { n_accesses: n } = await open();
  const report = await engine.start("run", {});
  const small = await engine.start("attribution", {});
  expect(small.total.accesses).toBe(report.trace.accesses);
  expect(small.total.walks).toBe(report.walks.walks);
  expect(small.total.l2_hit_cycles).toBe(report.cycles.l2_hit);
  expect(small.total.l2_miss_cycles).toBe(report.cycles.l2_miss);
  expect(small.total.walk_cycles).toBe(report.cycles.walk);
  // The replay has not moved.
  expect((await engine.call("seek", { index: 5 })).step.index).toBe(5);
  await engine.call("open", { file: await chase(), name: "chase" });
  await engine.start("run", {});
  expect(await engine.start("attribution", {})).toEqual(small);
  const [first] = small.regions.rows;
  if (!first) throw new Error("There is no region.");
  const { start, end } = first;
  const only = { by: "address", start, end } as const;
  const timeline = await engine.start("timeline", {
    from: 0,
    to: n,
    bins: 64,
    rows: 20,
    only,
  });
  const shown = timeline.density.reduce((sum, n) => sum + n, 0);
  expect(shown).toBe(first.accesses);
});

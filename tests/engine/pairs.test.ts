/** Tests of two compared machines, through the modules. */
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { processors } from "../../src/model/config/cpus";
import type { EngineClient } from "../../src/engine/client";
import type { Setup } from "../../src/engine/engine";
import { wasmEngine } from "./wasm";

let engine: EngineClient;
afterEach(() => engine.dispose());

async function start(): Promise<{ left: Setup; right: Setup; n: number }> {
  engine = wasmEngine();
  const [cpu] = processors(await engine.call("cpus", {}));
  if (!cpu) throw new Error("There is no CPU.");
  const os = { regions: [], frames: "sequential" } as const;
  const { machine } = cpu;
  const left = { machine, os: { ...os, regions: [], default: "4K" } };
  const right = { machine, os: { ...os, regions: [], default: "2M" } };
  await engine.call("configure", left);
  const file = new Blob([await readFile("public/traces/chase.pagewalk.gz")]);
  const { n_accesses: n } = await engine.call("open", { file, name: "chase" });
  return { left, right, n };
}

test("both_count_and_show_what_each_alone_does_and_the_replay_stays", async () => {
  const { left, right, n } = await start();
  const report = await engine.start("run", {});
  const before = await engine.call("seek", { index: 7 });
  const { reports, machines } = await engine.start("openPair", { left, right });
  expect(reports[0]).toEqual(report);
  expect(machines[1].page_sizes).toContain("2M");
  const view = await engine.start("comparePair", { bins: 100 });
  expect([view.from, view.to]).toEqual([0, n]);
  expect(view.outcomes.flat().reduce((sum, each) => sum + each, 0)).toBe(n);
  const sum = (bins: readonly number[]) =>
    bins.reduce((total, each) => total + each, 0);
  expect(sum(view.left_walks)).toBe(report.walks.walks);
  expect(sum(view.differing_in)).toBe(view.differing);
  const [first, second] = view.listed;
  if (!first || !second) throw new Error("Nothing differs.");
  expect(
    await engine.start("findDifference", { index: first.index, direction: 1 }),
  ).toBe(second.index);
  expect(
    await engine.start("findDifference", {
      index: second.index,
      direction: -1,
    }),
  ).toBe(first.index);
  const steps = await engine.call("seekPair", { index: second.index });
  expect(steps.map((step) => step?.outcome)).toEqual([
    second.left.outcome,
    second.right.outcome,
  ]);
  const [regions] = await engine.start("pairRegions", {});
  expect(sum(regions.rows.map(({ walks }) => walks))).toBe(report.walks.walks);
  expect(await engine.call("seek", { index: 7 })).toEqual(before);
});

test("when_the_trace_changes_nothing_is_compared_any_more", async () => {
  const { left, right } = await start();
  await engine.start("openPair", { left, right });
  await engine.start("import", {
    file: new Blob([" L 1000,8\n"]),
    name: "other.lackey",
  });
  await expect(engine.call("seekPair", { index: 0 })).rejects.toMatchObject({
    code: "cancelled",
  });
  const { reports } = await engine.start("openPair", { left, right });
  expect(reports[1].trace.accesses).toBe(1);
  expect((await engine.call("seekPair", { index: 0 }))[0]?.index).toBe(0);
});

test("a_machine_that_cannot_be_is_refused_and_another_pair_can_be_opened", async () => {
  const { left, right } = await start();
  const bad = { ...right, os: { ...right.os, default: "3M" } };
  await expect(
    engine.start("openPair", { left, right: bad }),
  ).rejects.toMatchObject({
    code: "bad-config",
  });
  await expect(engine.start("comparePair", { bins: 4 })).rejects.toMatchObject({
    code: "bad-trace",
  });
  expect(
    (await engine.start("openPair", { left, right })).reports,
  ).toHaveLength(2);
});

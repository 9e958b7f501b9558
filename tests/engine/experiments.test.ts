import { afterEach, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import type { ExperimentResult } from "../../src/engine/generated/ExperimentResult";
import { rowVerdict } from "../../src/model/experiments/comparison";
import { writeShipped } from "../../src/model/experiments/shipped";
import { chartLayout } from "../../src/model/shared/chart/layout";
import { wasmEngine } from "./wasm";

const SHIPPED = "../../src/app/experiments/results.json";

let engine: EngineClient;
afterEach(() => engine.dispose());

test("every_experiment_gives_the_shipped_numbers_and_its_differences_have_reasons", async () => {
  engine = wasmEngine();
  const experiments = await engine.call("experiments", {});
  expect(experiments.length).toBeGreaterThan(5);
  const results: ExperimentResult[] = [];
  for (const { id, question } of experiments) {
    expect(question, id).toMatch(/\?$/);
    const result = await engine.start("experiment", { id });
    results.push(result);
    const rows = result.tables.flatMap(({ rows }) => rows);
    const unexplained = rows.filter(
      (row) => rowVerdict(row) === "differs" && row.hypothesis === undefined,
    );
    expect(unexplained, id).toEqual([]);
    expect(result.parts.length, id).toBeGreaterThan(0);
    for (const chart of result.charts) {
      const layout = chartLayout(chart, { width: 600, height: 300 });
      const { left, right, top, bottom } = layout;
      const outside = layout.lines
        .flatMap(({ points }) => points)
        .filter(
          ({ x, y }) =>
            !(x >= left - 1 && x <= right + 1 && y >= top && y <= bottom + 1),
        );
      expect(outside, `${id}: ${chart.title}`).toEqual([]);
    }
  }
  // After a change of the simulator or of an experiment, `npm run experiments` writes the file.
  await expect(writeShipped(results)).toMatchFileSnapshot(SHIPPED);
}, 120_000);

test("a_part_of_an_experiment_counts_the_same_as_a_replay", async () => {
  engine = wasmEngine();
  const { parts, tables } = await engine.start("experiment", {
    id: "byte-array",
  });
  const part = parts.find(({ name }) => name === "1,000,000 bytes, 4K");
  if (!part) throw new Error(parts.map(({ name }) => name).join("; "));
  const { workload, params, machine, os, window } = part;
  await engine.call("configure", { machine, os, window });
  await engine.start("generate", { id: workload, params });
  const { kinds } = await engine.start("run", {});
  const row = tables[0]?.rows.find(
    ({ case: [bytes, pages], quantity }) =>
      bytes === "1,000,000" && pages === "4K" && quantity === "L1 dTLB misses",
  );
  const misses = kinds.load.translations - kinds.load.l1_hits;
  expect(misses / kinds.load.translations).toBe(row?.simulated);
});

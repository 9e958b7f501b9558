/** Sweeps in the app: rows on the real module, as `pagewalk sweep` writes them. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import type { SweepLine } from "../../src/engine/generated/SweepLine";
import { wasmEngine } from "./wasm";

const spec = (values: readonly (number | string)[], more: object = {}) =>
  JSON.stringify({
    traces: [{ file: "chase.lackey" }],
    base: { cpu: "intel-skylake-sp" },
    axes: [{ field: "machine.l2[0].entries", values }],
    ...more,
  });

const rowsOf = (spec: string, rows: readonly number[]) =>
  rows.map((row) => ({ spec, row }));

let engine: EngineClient;
let hash: string;
beforeAll(async () => {
  engine = wasmEngine();
  const trace = new Blob([await readFile("public/traces/chase.pagewalk.gz")]);
  await engine.start("import", { file: trace, name: "chase" });
  ({ hash } = await engine.start("save", {}));
});
afterAll(() => engine.dispose());

test("a_row_counts_what_a_whole_run_of_its_machine_counts", async () => {
  const swept = spec([768, 3072]);
  expect(await engine.call("sweepRows", { spec: swept })).toBe(2);
  const outcomes = await engine.many("runRow", rowsOf(swept, [0, 1]));
  for (const [row, outcome] of outcomes.entries()) {
    if (!("result" in outcome)) throw outcome.error;
    // The core wrote it.
    const line = JSON.parse(outcome.result) as SweepLine;
    const { machine, os, report, trace } = line;
    expect([line.row, line.rows, trace]).toEqual([
      row,
      2,
      { name: "chase.lackey", hash },
    ]);
    expect(machine.l2[0]?.entries).toBe([768, 3072][row]);
    const whole = await engine.start("runWhole", { machine, os });
    expect(report).toEqual({ ...whole, regions: [] });
  }
});

test("lines_are_the_same_whatever_the_order_and_become_a_table", async () => {
  const swept = spec([384, 768, "many"]);
  const lines = async (rows: readonly number[]) => {
    const lines: string[] = [];
    await engine.many("runRow", rowsOf(swept, rows), {
      onOutcome: (outcome) => {
        if ("result" in outcome)
          lines[rows[outcome.index] ?? 0] = `${outcome.result}\n`;
      },
    });
    return lines.join("");
  };
  const text = await lines([0, 1, 2]);
  expect(await lines([2, 0, 1])).toBe(text);
  const [head, ...rows] = (await engine.call("sweepTable", { lines: text }))
    .trim()
    .split("\n");
  expect(head).toMatch(
    /^row,trace,machine\.l2\[0\]\.entries,accesses,.*,walks,.*,completeness,part,error,configuration$/,
  );
  expect(rows).toHaveLength(3);
  expect(rows[2]).toContain("many");
});

test.each([
  [spec([]), "axes[0].values"],
  [spec([1], { traces: [] }), "traces"],
  [spec([1], { traces: [{ file: "a" }, { file: "b" }] }), "traces"],
  [spec([7]), undefined],
])("a_sweep_that_cannot_be_is_refused_at_its_place", async (wrong, field) => {
  await expect(engine.call("sweepRows", { spec: wrong })).rejects.toMatchObject(
    {
      code: "bad-config",
      ...(field !== undefined && { at: { field } }),
    },
  );
});

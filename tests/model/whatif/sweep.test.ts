import { expect, test } from "vitest";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { traceFile } from "../../../src/model/import/exportText";
import { withDefaults } from "../../../src/model/config/defaults";
import {
  extremesOf,
  gridOf,
  heatOf,
  rowOf,
  specOf,
  valuesOf,
} from "../../../src/model/whatif/sweep";
import { sweepFields } from "../../../src/model/whatif/sweepFields";
import { readWhatIf, writeWhatIf } from "../../../src/model/whatif/questions";

test.each([
  ["8, 16", { values: [8, 16] }],
  ["lru,fifo ,", { values: ["lru", "fifo"] }],
  ["true, null, 1.5, 4K", { values: [true, null, 1.5, "4K"] }],
  ["64..4096 times 2", { range: { from: 64, to: 4096, times: 2 } }],
  ["007, -0.5, 08", { values: ["007", -0.5, "08"] }],
  [" 1 … 8 step 1 ", { range: { from: 1, to: 8, step: 1 } }],
])("values_typed_as_%s_are_read", (text, values) => {
  expect(valuesOf(text)).toEqual(values);
});

test("no_values_are_refused_with_examples", () => {
  expect(() => valuesOf(" , ")).toThrow("64..4096 times 2");
});

const machine = withDefaults({
  l1: [{ name: "dTLB", entries: 64, ways: 4 }],
  l2: [{ name: "STLB", entries: 1536, ways: 12 }],
  psc: { pde: { entries: 32, ways: 4 } },
});
const os = { default: "4K", regions: [], frames: "sequential" } as const;
const base = {
  cpu: "zen",
  setup: { machine, os: { ...os, regions: [] } },
  cpus: [{ id: "zen", machine } as unknown as CpuModel],
  file: "ls.lackey",
};
const axes = [{ field: "machine.l2[0].entries", values: "768, 1536" }];

test("a_sweep_names_the_model_where_the_machine_is_one_and_is_the_machine_where_it_is_none", () => {
  const spec = (part: Partial<typeof base>) =>
    JSON.parse(specOf(axes, { ...base, ...part })) as object;
  expect(spec({})).toEqual({
    traces: [{ file: "ls.lackey" }],
    base: { cpu: "zen", os },
    axes: [{ field: "machine.l2[0].entries", values: [768, 1536] }],
  });
  const other = withDefaults({ l1: [{ entries: 8 }] });
  const setup = { ...base.setup, machine: other };
  expect(spec({ setup })).toMatchObject({ base: { machine: other } });
});

test("a_sweep_over_models_has_no_machine_of_its_own", () => {
  const cpus = [{ field: "cpu", values: "zen, skylake" }];
  const workload = { id: "uniform", params: { bytes: "1M" } };
  const window = { skip: 5, warmup: 1 };
  const setup = { ...base.setup, window, cores: "one" as const };
  expect(
    JSON.parse(specOf(cpus, { ...base, setup, workload })) as object,
  ).toEqual({
    traces: [{ workload: "uniform", params: { bytes: "1M" } }],
    base: { os },
    axes: [{ field: "cpu", values: ["zen", "skylake"] }],
    window,
  });
});

test("a_sweep_has_the_cores_and_the_window_of_the_replay", () => {
  const window = { skip: 5, warmup: 1 };
  const setup = { ...base.setup, window, cores: "tid" as const };
  expect(JSON.parse(specOf(axes, { ...base, setup })) as object).toMatchObject({
    window,
    cores: "tid",
  });
});

test.each([
  ["ls.lackey.xz", "ls.lackey.xz"],
  ["matmul 24", "matmul-24.csv"],
  ["chase 2048 4096 10000", "chase-2048-4096-10000.csv"],
])("the_file_of_the_trace_%s_is_%s", (name, file) => {
  expect(traceFile(name)).toBe(file);
});

test("a_row_has_the_model_of_its_axes", () => {
  const cpuOf = (axes: object) => rowOf(line(0, axes, 1)).cpu;
  expect(cpuOf({ cpu: "amd-zen2" })).toBe("amd-zen2");
  expect(cpuOf({ pages: "4K" })).toBeUndefined();
});

test("a_row_has_the_cores_and_the_window_that_it_was_run_with", () => {
  const shared = { cores: "tid", window: { skip: 5, warmup: 0 } };
  const text = line(0, { pages: "4K" }, 1);
  const of = JSON.parse(text) as object;
  const { setup } = rowOf(JSON.stringify({ ...of, ...shared }));
  expect(setup).toEqual({ machine, os, ...shared });
});

test("fields_begin_with_the_array_that_is_looked_at_or_the_last_level_and_have_values_around_the_machine_s", () => {
  const fields = sweepFields(machine, ["4K", "2M"]);
  expect(fields[0]).toEqual({
    field: "machine.l2[0].entries",
    label: "STLB, entries",
    values: "384, 768, 1536, 3072, 6144",
  });
  const own = withDefaults({
    l1: [{ entries: 768, ways: 12, replacement: "mru3-plru4" }],
  });
  const names = sweepFields(own, ["4K"]).map(({ field }) => field);
  // No other number of ways fits its policy.
  expect(names).not.toContain("machine.l1[0].ways");
  const [dtlb] = sweepFields(machine, ["4K"], "l1[0]");
  expect(dtlb?.label).toBe("dTLB, entries");
  const of = (name: string) => fields.find(({ field }) => field === name);
  expect(of("machine.l2[0].replacement")?.values).toContain("mru3-plru4");
  expect(of("machine.l1[0].replacement")?.values).not.toContain("mru3");
  expect(of("machine.psc.pde.entries")?.label).toBe("PDE cache, entries");
  expect(of("pages")?.values).toBe("4K, 2M");
});

const line = (row: number, at: object, walks: number | undefined) =>
  JSON.stringify({
    row,
    axes: at,
    machine,
    os,
    ...(walks === undefined
      ? { error: { code: "bad-config", message: "No." } }
      : { report: { walks: { walks } } as RunReport }),
  });

test("rows_stand_by_the_values_of_two_axes_and_what_is_not_there_is_left_free", () => {
  const rows = [
    line(0, { a: 1, b: "lru" }, 10),
    line(1, { a: 1, b: "fifo" }, 20),
    line(3, { a: 2, b: "fifo" }, undefined),
  ].map(rowOf);
  const { down, across, cells } = gridOf(rows);
  expect([down, across]).toEqual([
    ["1", "2"],
    ["lru", "fifo"],
  ]);
  expect(cells.map((row) => row.map((cell) => cell?.row))).toEqual([
    [0, 1],
    [undefined, 3],
  ]);
  expect(cells[1]?.[1]?.error).toBe("No.");
});

test("one_axis_has_one_column", () => {
  const rows = [line(0, { a: 1 }, 5), line(1, { a: 2 }, 4)].map(rowOf);
  const { across, cells } = gridOf(rows);
  expect(across).toEqual([""]);
  expect(cells.map((row) => row[0]?.report?.walks.walks)).toEqual([5, 4]);
});

test("the_most_is_the_darkest", () => {
  const all = [1, 10, 100, 1000, 10_000];
  const extremes = extremesOf(all);
  expect(all.map((n) => heatOf(n, extremes))).toEqual([0, 1, 2, 3, 4]);
  expect(heatOf(7, extremesOf([7, 7]))).toBe(0);
});

test("what_is_swept_comes_back_from_its_link", () => {
  const view = { kinds: "data", sweep: axes } as const;
  expect(readWhatIf(writeWhatIf(view) ?? "")).toEqual(view);
  for (const text of ['{"sweep":1}', '{"sweep":[["a"]]}', '{"sweep":["ab"]}'])
    expect(() => readWhatIf(text)).toThrow("“sweep” of “whatif” must be");
});

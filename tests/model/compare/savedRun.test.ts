import { expect, test } from "vitest";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import {
  dataTableCsv,
  inOrder,
  readOrder,
} from "../../../src/model/shared/dataTable";
import { savedLines, savedTraces } from "../../../src/model/compare/savedRun";
import type { SavedRun } from "../../../src/model/compare/savedRun";
import {
  savedColumns,
  savedFileColumns,
  savedRow,
  savedRows,
} from "../../../src/model/compare/savedTable";
import { report, tinyMachine } from "../../pictures/runData";

const cpus: readonly CpuModel[] = [
  {
    id: "tiny",
    name: "Tiny",
    vendor: "",
    provenance: [],
    variants: [],
    machine: tinyMachine,
  },
];

/** Returns a run with the given walks, and with hits of these structures. */
function run(
  name: string,
  walks: number,
  more: {
    readonly trace?: string;
    readonly hits?: Record<string, number>;
  } = {},
): SavedRun {
  const { trace = "ls", hits = {} } = more;
  const structures = Object.entries(hits).map(
    ([name, hits]): RunReport["structures"][number] => ({
      name,
      level: 1,
      lookups: hits,
      hits,
      misses: 0,
      fills: 0,
      evictions: 0,
      invalidations: 0,
    }),
  );
  return {
    id: name,
    name,
    note: walks > 2000 ? "many, “quoted”" : "",
    date: Date.UTC(2026, 0, 2, 3, 4, 5),
    cpu: "tiny",
    setup: {
      machine: walks > 2000 ? { ...tinyMachine, walkers: 2 } : tinyMachine,
      os: { default: "4K", regions: [], frames: "sequential" },
      ...(walks > 2000 && { window: { skip: 10, warmup: 5, limit: 1000 } }),
    },
    trace: { name: trace, hash: `0${trace.length}`, link: { trace } },
    ...(walks > 2000 && { program: "0.1.0" }),
    report: { ...report, structures, walks: { ...report.walks, walks } },
  };
}

const rowsOf = (...runs: readonly SavedRun[]) =>
  runs.map((each) => savedRow(cpus, each));

/** Compares the cells, with their paler text, of the columns with these ids. */
function check(
  rows: ReturnType<typeof rowsOf>,
  baseline: string | undefined,
  ids: string,
) {
  const base = rows.find(({ run }) => run.id === baseline);
  const columns = savedColumns(rows, base);
  return rows.map((row) =>
    ids.split(" ").map((id) => {
      const column = columns.find((each) => each.id === id.replace("_", " "));
      return [column?.text(row), column?.more?.(row)].join("|");
    }),
  );
}

test("differences_from_the_baseline_have_a_sign", () => {
  const rows = rowsOf(run("a", 1000), run("b", 1250), run("c", 999));
  expect(check(rows, "a", "name walks")).toEqual([
    ["a|baseline", "1,000|"],
    ["b|", "1,250|+25.0 %"],
    ["c|", "999|−0.10 %"],
  ]);
  expect(check(rows, undefined, "name walks")[1]).toEqual(["b|", "1,250|"]);
});

test("the_counts_of_samples_say_so", () => {
  const whole = run("a", 1000);
  const trace = { ...report.trace, completeness: "sampled" } as const;
  const rows = rowsOf(whole, {
    ...run("b", 7),
    report: { ...whole.report, trace },
  });
  expect(check(rows, "b", "name")).toEqual([["a|"], ["b|baseline, sampled"]]);
  const columns = savedFileColumns(rows, undefined).filter(
    ({ id }) => id === "completeness",
  );
  expect(dataTableCsv(columns, rows)).toBe("completeness\ncomplete\nsampled\n");
});

test("runs_of_another_trace_have_no_difference", () => {
  const rows = rowsOf(run("a", 1000), run("b", 1250, { trace: "other" }));
  expect(check(rows, "a", "walks")).toEqual([["1,000|"], ["1,250|"]]);
});

test("runs_of_another_part_or_of_other_cores_have_no_difference", () => {
  const base = run("a", 1000);
  const [part, cores, whole] = [run("b", 1250), run("c", 1250), run("d", 1250)];
  const rows = rowsOf(
    base,
    { ...part, setup: { ...part.setup, window: { skip: 9, warmup: 0 } } },
    { ...cores, setup: { ...cores.setup, cores: "tid" } },
    { ...whole, setup: { ...whole.setup, window: { skip: 0, warmup: 0 } } },
  );
  expect(check(rows, "a", "walks").flat()).toEqual([
    "1,000|",
    "1,250|",
    "1,250|",
    "1,250|+25.0 %",
  ]);
  const [column] = savedFileColumns(rows, rows[0]).filter(
    ({ id }) => id === "walks difference",
  );
  expect(rows.map((row) => column?.value(row))).toEqual([
    0,
    undefined,
    undefined,
    0.25,
  ]);
});

test("a_run_that_lacks_something_does_not_hide_the_others", () => {
  const good = run("a", 1000);
  const { name, trace, report, ...rest } = run("b", 1);
  const { cycles, ...older } = report;
  expect(cycles).toBeDefined();
  const broken = [
    { ...rest, trace, report },
    { ...rest, name, report },
    { ...rest, name, trace, report: older },
    { ...rest, name, trace, report, date: "once" },
  ] as unknown as readonly SavedRun[];
  for (const each of broken) {
    const { rows, unreadable } = savedRows(cpus, [each, good]);
    expect(rows.map(({ run }) => run.id)).toEqual(["a"]);
    expect(unreadable).toMatchObject([{ id: "b" }]);
  }
});

test("what_a_machine_has_not_is_not_0", () => {
  const rows = rowsOf(
    run("a", 1, { hits: { L1: 5 } }),
    run("b", 1, { hits: { L1: 6, L2: 3 } }),
  );
  expect(check(rows, "b", "hits_L1 hits_L2")).toEqual([
    ["5|−16.7 %", "–|"],
    ["6|", "3|"],
  ]);
});

test("an_edited_machine_and_a_part_of_the_trace_are_told", () => {
  expect(check(rowsOf(run("a", 3000)), undefined, "cpu memory part")).toEqual([
    ["Tiny, edited|", "4K, native|", "1,000 accesses from 15 on|"],
  ]);
});

test("the_order_of_a_link_is_that_of_the_table", () => {
  const rows = rowsOf(run("a", 1), run("b", 3), run("c", 2));
  const columns = savedColumns(rows, undefined);
  const order = readOrder("walks,descending", columns);
  expect(inOrder(rows, columns, order).map(({ run }) => run.name)).toEqual([
    "b",
    "c",
    "a",
  ]);
  expect(readOrder("hits L9,descending", columns)).toBeUndefined();
  expect(readOrder("walks,up", columns)).toBeUndefined();
});

test("the_file_has_configurations_and_differences_in_full", () => {
  const rows = rowsOf(run("a", 1000), run("b", 1250), run("c", 3000));
  const columns = savedFileColumns(rows, rows[0]).filter(({ id }) =>
    ["walks difference", "hash", "version"].includes(id),
  );
  expect(dataTableCsv(columns, rows)).toBe(
    '"walks, difference from a",trace hash,about.version\n0,02,\n0.25,02,\n,02,0.1.0\n',
  );
});

test("traces_are_told_apart_by_their_contents", () => {
  const runs = [run("a", 1, { trace: "x" }), run("b", 1), run("c", 1)];
  expect(savedTraces(runs)).toEqual([
    { hash: "02", name: "ls", n: 2 },
    { hash: "01", name: "x", n: 1 },
  ]);
});

// `pagewalk sweep --merge` takes this file as it is.
test("lines_are_rows_of_a_sweep", async () => {
  const lines = savedLines([run("a", 1000), run("b", 3000)]);
  await expect(lines).toMatchFileSnapshot("../../fixtures/saved-runs.jsonl");
});

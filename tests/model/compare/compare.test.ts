import { expect, test } from "vitest";
import type { AttributionRow } from "../../../src/engine/generated/AttributionRow";
import type { LockstepView } from "../../../src/engine/generated/LockstepView";
import type { OsConfig } from "../../../src/engine/generated/OsConfig";
import {
  comparedColumns,
  differenceText,
  regionRows,
  shareText,
} from "../../../src/model/compare/totals";
import { dataTableCsv } from "../../../src/model/shared/dataTable";
import {
  differingText,
  endedText,
  moved,
  outcomesCsv,
} from "../../../src/model/compare/differences";
import {
  MODEL_COLUMNS,
  modelRow,
  ranked,
} from "../../../src/model/compare/leaderboard";
import {
  decodePermalink,
  encodePermalink,
} from "../../../src/model/permalink/permalink";

const row = (left?: number, right?: number, decimals?: number) => ({
  what: "w",
  left,
  right,
  ...(decimals !== undefined && { decimals }),
});

test("differences_have_their_sign_and_a_share_that_means_something", () => {
  const texts = (...args: Parameters<typeof row>) => {
    const made = row(...args);
    return [differenceText(made), shareText(made)];
  };
  expect(texts(100, 150)).toEqual(["+50", "+50.0 %"]);
  expect(texts(200, 150)).toEqual(["−50", "−25.0 %"]);
  expect(texts(100_000, 1)).toEqual(["−99,999", "< −99.9 %"]);
  expect(texts(84, 232_013)).toEqual(["+231,929", "× 2,762"]);
  expect(texts(100, 999)).toEqual(["+899", "+899 %"]);
  expect(texts(100, 1000)).toEqual(["+900", "× 10"]);
  expect(texts(5, 5)).toEqual(["0", ""]);
  expect(texts(0, 5)).toEqual(["+5", ""]);
  expect(texts(undefined, 5)).toEqual(["–", ""]);
  expect(texts(1, 1.304, 2)).toEqual(["+0.30", "+30.4 %"]);
  expect(texts(1.001, 1, 2)[0]).toBe("0.00");
});

test("a_table_is_saved_with_numbers_in_full", () => {
  const columns = comparedColumns("left: A, 4K", "right: B");
  expect(dataTableCsv(columns, [row(1000, 1.5), row(undefined, 2)])).toBe(
    'quantity,"left: A, 4K",right: B,difference\nw,1000,1.5,-998.5\nw,,2,\n',
  );
});

test("regions_of_one_name_at_several_places_stay_apart", () => {
  const region = (name: string, start: string, walks: number) =>
    ({ name, start, end: "0x9", walks }) as AttributionRow;
  const none = {
    accesses: 0,
    l1_misses: 0,
    walks: 0,
    faults: 0,
    exceptions: 0,
    l2_hit_cycles: 0,
    l2_miss_cycles: 0,
    walk_cycles: 0,
  };
  const rest = { n_others: 0, others: none, unknown: none };
  const table = (...rows: AttributionRow[]) => ({ rows, ...rest });
  const rows = regionRows(
    table(region("lib", "0x1", 5), region("lib", "0x2", 3)),
    table(region("lib", "0x2", 1), region("", "0x4", 7)),
  );
  expect(rows.map(({ what, left, right }) => [what, left, right])).toEqual([
    ["lib", 5, undefined],
    ["lib", 3, 1],
    ["0x4", undefined, 7],
  ]);
});

const view = (differing: number, outcomes: number[][]): LockstepView => ({
  from: 0,
  to: 1000,
  differing,
  outcomes,
  listed: [],
  width: 1,
  left_walks: [],
  right_walks: [],
  differing_in: [],
});

test("what_differs_is_said_with_its_share", () => {
  expect(differingText(view(12, []))).toBe(
    "12 of 1,000 accesses end differently (1.2 %).",
  );
  expect(differingText(view(1, []))).toMatch(/^1 of 1,000 accesses ends /);
  expect(differingText(view(0, []))).toMatch(
    /^All 1,000 accesses end the same/,
  );
  expect(differingText({ ...view(0, []), to: 0 })).toMatch(/^No access/);
  expect(endedText({ outcome: "walk", refs: 4 })).toBe("walk, 4 references");
  expect(endedText({ outcome: "l1-hit", refs: 0 })).toBe("L1 hit");
});

test("above_the_diagonal_the_right_is_dearer", () => {
  const outcomes = [
    [900, 1, 2, 0],
    [10, 20, 0, 0],
    [0, 30, 5, 0],
    [0, 0, 7, 25],
  ];
  expect(moved(view(50, outcomes))).toEqual({ costlier: 3, cheaper: 47 });
});

test("exceptions_are_compared_only_where_one_ended_an_access", () => {
  const outcomes = [
    [900, 1, 2, 0, 3],
    [10, 20, 0, 0, 0],
    [0, 30, 5, 0, 0],
    [0, 0, 7, 25, 0],
    [0, 0, 0, 4, 1],
  ];
  expect(outcomesCsv(view(50, outcomes))).toContain("L1 hit,exception,3");
  expect(moved(view(50, outcomes))).toEqual({ costlier: 3, cheaper: 47 });
  const without = outcomes.map((row) => row.map((n, at) => (at === 4 ? 0 : n)));
  without[4] = [0, 0, 0, 0, 0];
  expect(outcomesCsv(view(50, without))).not.toContain("exception");
});

test("models_stand_by_cost_and_those_that_failed_last", () => {
  const totals = { accesses: 10, l1Misses: 1, l2Misses: 1, walks: 1, refs: 1 };
  const model = (cpu: string, cycles?: number) => ({
    cpu,
    name: cpu,
    vendor: "",
    own: "",
    memory: "4K, native",
    ...(cycles === undefined
      ? { problem: "No." }
      : { totals: { ...totals, cycles, faults: 0 } }),
  });
  const rows = ranked([model("c"), model("b", 30), model("a", 5)]);
  expect(rows.map(({ cpu }) => cpu)).toEqual(["a", "b", "c"]);
  expect(
    rows.slice(2).map((row) => MODEL_COLUMNS.map(({ text }) => text(row))),
  ).toEqual([["c: No.", "–", "–", "–", "–", "–", "–", "4K, native"]]);
});

test("the_model_of_the_replay_is_told_also_where_its_machine_was_edited", () => {
  const machine = (entries: number) =>
    ({ name: "M", l1: [{ name: "L1", entries, ways: 4 }] }) as never;
  const os: OsConfig = { default: "4K", regions: [], frames: "sequential" };
  const side = (cpu: string, entries: number) => ({
    cpu,
    setup: { machine: machine(entries), os },
  });
  const own = (cpu: string) =>
    modelRow([], side(cpu, 64), {}, side("a", cpu === "b" ? 64 : 32)).own;
  expect(own("b")).toBe("");
  expect(own("a")).toBe("this machine, before editing");
  expect(modelRow([], side("a", 64), {}, side("a", 64)).own).toBe(
    "this machine",
  );
});

test("a_link_holds_both_sides", () => {
  const link = {
    screen: "compare",
    cpu: "intel-skylake-sp",
    right: {
      cpu: "amd-zen2",
      os: { default: "2M", regions: [], frames: "sequential", virt: "ept" },
    },
    compare: "models",
    access: 5,
  } as const;
  const text = encodePermalink(link as never);
  expect(text).toContain("right=cpu=amd-zen2%26pages=2M%26virt=ept");
  expect(decodePermalink(`#${text}`)).toEqual(link);
});

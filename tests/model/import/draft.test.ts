import { describe, expect, test } from "vitest";
import type { Peek } from "../../../src/engine/generated/Peek";
import {
  idsOf,
  isClear,
  peekProblem,
  TAKE_ALL,
  taken,
  withColumn,
} from "../../../src/model/import/draft";
import type { Take } from "../../../src/model/import/draft";
import {
  processOf,
  threadOf,
  typedProcess,
} from "../../../src/model/import/traceText";
import { peekOf } from "../../views/import/peeks";

describe("what_is_typed_becomes_what_the_core_is_asked_for", () => {
  test.each<[Partial<Take>, ReturnType<typeof taken>]>([
    [{}, {}],
    [{ limit: "1,000,000" }, { limit: 1_000_000 }],
    [
      { pids: [7], tids: [8], events: ["#2"], modes: ["user"] },
      { select: { pids: [7], tids: [8], events: ["#2"], modes: ["user"] } },
    ],
    [
      { from: "10", to: "20" },
      { select: { from: { access: 10 }, to: { access: 20 } } },
    ],
    [
      { unit: "seconds", from: "0.5", to: "2" },
      { select: { from: { time: 5e8 }, to: { time: 2e9 } } },
    ],
    [
      { keep: "1000", of: "1 000 000" },
      { select: { every: { keep: 1000, of: 1_000_000 } } },
    ],
    [
      { from: "20", to: "10" },
      { problems: { to: "The end must be after the beginning." } },
    ],
    [{ to: "0" }, { problems: { to: "The end must be after the beginning." } }],
    [
      { from: "abc" },
      { problems: { from: "Write a whole number, such as 1,000,000." } },
    ],
    [
      { unit: "seconds", to: "soon" },
      {
        problems: { to: "Write seconds after the first record, such as 1.5." },
      },
    ],
    [{ keep: "10" }, { problems: { of: "Of how many accesses?" } }],
    [{ of: "10" }, { problems: { keep: "How many accesses of each part?" } }],
    [
      { keep: "11", of: "10" },
      {
        problems: { keep: "Write 1 up to the size of a part." },
      },
    ],
    [{ limit: "0" }, { problems: { limit: "Write 1 or more." } }],
  ])("%j", (typed, expected) => {
    expect(taken({ ...TAKE_ALL, ...typed })).toEqual(expected);
  });
});

test("processes_and_threads_are_typed_as_on_the_command_line_each_once", () => {
  const [guest, gone] = [2 ** 31, 2 ** 32 - 1];
  expect(idsOf(" 12, 7;12  0 ", threadOf)).toEqual({
    ids: [12, 7, 0],
    wrong: [],
  });
  const words =
    "7, guest:7 -1 x guest: guest:2147483648 4294967296 guest:x 2147483656";
  const { ids, wrong } = idsOf(words, processOf);
  expect(ids).toEqual([7, guest + 7, gone, guest + 8]);
  expect(wrong).toEqual([
    "x",
    "guest:",
    "guest:2147483648",
    "4294967296",
    "guest:x",
  ]);
  expect(ids.map(typedProcess)).toEqual(["7", "guest:7", "-1", "guest:8"]);
  expect(idsOf("2147483655 4294967296 guest:7 -1", threadOf)).toEqual({
    ids: [guest + 7, gone],
    wrong: ["4294967296", "guest:7"],
  });
});

describe("only_a_file_about_which_nothing_is_open_is_imported_at_once", () => {
  const clear = peekOf({ format: "lackey" });
  const list = {
    separator: "comma",
    columns: ["address"],
    base: "decimal",
    base_is_guessed: true,
    rows: [],
  } as const;
  test.each<[string, Peek, number, boolean]>([
    ["a small recording of every access", clear, 100, true],
    ["a large one", clear, 1e9, false],
    ["a sample", peekOf({ completeness: "sampled" }), 100, false],
    ["something to say", peekOf({ warnings: ["x"] }), 100, false],
    [
      "records that might be others",
      peekOf({ format: "champsim" }),
      100,
      false,
    ],
    [
      "two processes",
      peekOf({
        processes: [1, 2].map((pid) => ({ pid, accesses: 1, threads: [] })),
      }),
      100,
      false,
    ],
    [
      "decimal or not",
      { ...clear, list: { ...list, columns: ["address"], rows: [] } },
      100,
      false,
    ],
    [
      "address or instruction",
      { ...clear, lone_column: "perf-script-ip" },
      100,
      false,
    ],
    [
      "unknown format",
      { ...clear, problem: { code: "unknown-format", message: "no" } },
      100,
      false,
    ],
  ])("%s", (_, peek, bytes, expected) => {
    expect(isClear(peek, bytes)).toBe(expected);
  });
});

test("a_beginning_without_a_wanted_access_is_nothing_wrong", () => {
  const problem = {
    code: "bad-config",
    message: "none is selected",
    at: { field: "select" },
  } as const;
  const peek = { ...peekOf({}), problem };
  expect(peekProblem({ ...peek, is_whole: false })).toBeUndefined();
  expect(peekProblem(peek)).toBe(problem);
});

test("a_role_that_another_column_had_moves", () => {
  const list = {
    separator: "blanks",
    columns: ["size", "address", null],
    base: "decimal",
    base_is_guessed: true,
    rows: [],
  } as const;
  const view = { ...list, columns: [...list.columns], rows: [] };
  expect(withColumn({ base: "hex" }, view, 2, "size")).toEqual({
    base: "hex",
    columns: [null, "address", "size"],
  });
  expect(withColumn(undefined, view, 0, null).columns).toEqual([
    null,
    "address",
    null,
  ]);
});

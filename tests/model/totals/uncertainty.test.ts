import { expect, test } from "vitest";
import type { CpuModel } from "../../../src/engine/generated/CpuModel";
import type { UncertaintyReport } from "../../../src/engine/generated/UncertaintyReport";
import {
  intervalView,
  pointIntervals,
  uncertaintyQuestion,
} from "../../../src/model/totals/uncertainty";
import {
  DEFAULT_MACHINE,
  DEFAULT_OS,
} from "../../../src/engine/generated/defaults";

const run = (cycles: number) => ({ walks: 10, cycles, overlapped: cycles / 2 });

const report: UncertaintyReport = {
  model: run(1000),
  low: { changes: [{ path: "memory.dram", value: 150 }], ...run(800) },
  high: { changes: [{ path: "memory.dram", value: 400 }], ...run(1800) },
  parameters: [
    {
      path: "memory.dram",
      value: 200,
      reason: "50 to 100 ns.",
      runs: [
        { value: 150, ...run(800) },
        { value: 400, ...run(1800) },
      ],
      effect: 1000,
      overlapped_effect: 500,
    },
    {
      path: "l1[0].replacement",
      value: "lru",
      reason: "",
      runs: [{ value: "random", ...run(1000) }],
      effect: 0,
      overlapped_effect: 0,
    },
  ],
  left_out: [
    { path: "walkers", value: undefined, why: "a reason" },
    { path: "l2[0].ways", value: 6, why: "a reason" },
  ],
};

test("the_interval_names_its_ends_and_what_drives_it", () => {
  const view = intervalView(report);
  expect(view.sentence).toBe(
    "800 to 1,800 cycles, one after the other: −20.0 % to +80.0 % of the model’s 1,000.",
  );
  expect(view.overlap).toBe("With overlap, at least 400 to 900.");
  expect(view.driver).toBe("memory.dram");
  expect([view.extent, view.own]).toEqual([{ from: 0, to: 1 }, 0.2]);
  expect(view.rows.map(({ path, ends }) => [path, ...ends])).toEqual([
    ["memory.dram", "150: −20.0 %", "400: +80.0 %"],
  ]);
  expect(view.without).toEqual(["l1[0].replacement"]);
  expect(view.leftOut).toEqual(["a reason: walkers, l2[0].ways = 6"]);
});

test("an_interval_without_an_effect_is_a_point", () => {
  const none = { changes: [], ...run(1000) };
  const view = intervalView({
    ...report,
    low: none,
    high: none,
    parameters: [],
  });
  expect([view.extent, view.own, view.driver]).toEqual([
    { from: 0, to: 0 },
    0,
    undefined,
  ]);
});

test("two_intervals_have_one_axis", () => {
  const after = {
    ...report,
    model: run(600),
    low: { changes: [], ...run(300) },
    high: { changes: [], ...run(800) },
    parameters: [],
  };
  const intervals = pointIntervals([
    ["before", report],
    ["after", after],
  ]);
  expect(intervals.map(({ range, change }) => [range, change])).toEqual([
    ["800 to 1,800", "−20.0 % to +80.0 %"],
    ["300 to 800", "−50.0 % to +33.3 %"],
  ]);
  expect(intervals.map(({ extent, own }) => [extent, own])).toEqual([
    [{ from: 1 / 3, to: 1 }, 700 / 1500],
    [{ from: 0, to: 1 / 3 }, 0.2],
  ]);
  expect(intervals.map(({ driver }) => driver)).toEqual([
    "memory.dram drives it (150: −20.0 %, 400: +80.0 %)",
    undefined,
  ]);
});

test("a_question_holds_the_changes_of_a_model", () => {
  const model = { machine: DEFAULT_MACHINE } as CpuModel;
  const setup = { machine: DEFAULT_MACHINE, os: DEFAULT_OS };
  expect(uncertaintyQuestion("a", setup, model)).toEqual({
    what: "uncertainty",
    cpu: "a",
    os: DEFAULT_OS,
  });
  const machine = { ...DEFAULT_MACHINE, walkers: 2 };
  expect(uncertaintyQuestion("a", { ...setup, machine }, model)).toEqual({
    what: "uncertainty",
    cpu: "a",
    machine,
    os: DEFAULT_OS,
  });
  expect(uncertaintyQuestion("a", setup, undefined)).toBeUndefined();
});

import { expect, test } from "vitest";
import type { CounterView } from "../../../src/engine/generated/CounterView";
import type { ShareView } from "../../../src/engine/generated/ShareView";
import {
  columnsOf,
  counterRow,
  shareRow,
  short,
} from "../../../src/model/measured/counters";
import { smallChart } from "../../../src/model/measured/chart";
import { RECORD_VENDORS } from "../../../src/model/measured/commands";

function counter(part: Partial<CounterView>): CounterView {
  return {
    name: { full: "cycles:u", pmu: "", event: "cycles", modifiers: "u" },
    cgroup: null,
    state: "counted",
    value: 1234567,
    unit: "",
    running: null,
    is_estimate: false,
    variance: null,
    counters: 1,
    missing: 0,
    meaning: "cycles",
    note: null,
    beside: null,
    ...part,
  };
}

test.each([
  [counter({}), "1,234,567", undefined, undefined],
  [
    counter({ is_estimate: true, running: 35.451, variance: 0.16 }),
    "~1,234,567",
    "35.45 %",
    "± 0.16 %",
  ],
  [
    counter({ state: "not-counted", value: null, running: 0 }),
    "not counted",
    undefined,
    undefined,
  ],
  [
    counter({ state: "not-supported", value: null }),
    "not supported",
    undefined,
    undefined,
  ],
  [
    counter({ value: 8009.41, unit: "msec" }),
    "8,009.41 msec",
    undefined,
    undefined,
  ],
])("a_counter_says_how_sure_it_is_%#", (view, value, running, variance) => {
  expect(counterRow(view, true)).toMatchObject({ value, running, variance });
});

test("a_rate_stands_beside_that_of_the_run_and_a_count_beside_the_count", () => {
  const beside = {
    simulated: 42,
    base: null,
    measured_per: null,
    simulated_per: null,
    ratio: null,
  };
  const rate = {
    ...beside,
    base: "1,000 loads",
    measured_per: 1.234,
    simulated_per: 0.5,
    ratio: 2.468,
  };
  expect(counterRow(counter({ beside, value: 50 }), true).comparison).toEqual({
    per: "whole run",
    measured: undefined,
    simulated: "42",
    ratio: undefined,
  });
  expect(
    counterRow(counter({ beside: rate, is_estimate: true }), true).comparison,
  ).toEqual({
    per: "1,000 loads",
    measured: "~1.23",
    simulated: "0.500",
    ratio: "~×2.47",
  });
  const rows = [counterRow(counter({}), true)];
  expect(columnsOf(rows)).toEqual({
    variance: false,
    running: false,
    comparison: false,
  });
});

test("a_name_that_means_something_else_on_each_vendor_says_so", () => {
  const meaning = "Intel: loads; AMD: level-1 misses";
  expect(counterRow(counter({ meaning }), false).counts).toBe(
    `depends on the processor: ${meaning}`,
  );
});

test("an_upper_bound_is_marked_as_one", () => {
  const share: ShareView = {
    what: "Walk cycles of all cycles",
    of: "",
    unit: "share",
    measured: 0.092,
    simulated: null,
    is_upper_bound: true,
    is_estimate: true,
    events: ["a", "b"],
    note: "at most",
  };
  expect(shareRow(share).measured).toBe("≤ ~9.2 %");
  expect(
    shareRow({
      ...share,
      unit: "cycles",
      measured: 31.4,
      is_upper_bound: false,
      is_estimate: false,
    }),
  ).toMatchObject({ measured: "31.4 cycles", events: "a, b" });
});

test("three_digits_count", () => {
  expect([0, 1 / 3, 0.042, 0.000_123, 1.5, 42.04, 12345.6].map(short)).toEqual([
    "0.000",
    "0.333",
    "0.0420",
    "1.2e-4",
    "1.50",
    "42.0",
    "12,346",
  ]);
});

test("a_chart_over_time_is_of_rates_and_leaves_gaps", () => {
  const event = {
    name: "walks",
    unit: "",
    values: [10, null, 40, 20],
    is_estimate: false,
  };
  const chart = smallChart({ ends: [1, 2, 4, 5] }, event, {
    width: 100,
    height: 21,
  });
  expect(chart.most).toBe("20.0 per s");
  expect(chart.line).toBe("M0 10.5H20M40 0.5H80V0.5H100");
  expect(chart.area).toBe("M0 21V10.5H20V21H0ZM40 21V0.5H80V0.5H100V21H40Z");
  expect(chart.points.map(({ text }) => text)).toEqual([
    "0.00 – 1.00 s: 10.0 per s",
    "1.00 – 2.00 s: not counted",
    "2.00 – 4.00 s: 20.0 per s",
    "4.00 – 5.00 s: 20.0 per s",
  ]);
});

test("no_command_asks_for_more_counters_than_there_are", () => {
  const FIXED = ["cycles:u", "instructions:u"];
  for (const { id, commands } of RECORD_VENDORS)
    for (const { command } of commands) {
      const events = /-e (\S+)/.exec(command)?.[1]?.split(",") ?? [];
      const most = id.startsWith("intel") ? 4 : 6;
      const general = events.filter((event) => !FIXED.includes(event));
      expect(general.length, command).toBeLessThanOrEqual(most);
      expect(events.length, command).toBeGreaterThan(2);
    }
});

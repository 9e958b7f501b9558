import { expect, test } from "vitest";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { withDefaults } from "../../../src/model/config/defaults";
import type { SweepRow, SweepSetup } from "../../../src/model/whatif/sweep";
import { sweepChart } from "../../../src/model/whatif/sweepChart";

const os: SweepSetup["os"] = {
  default: "4K",
  regions: [],
  frames: "sequential",
};
const machine = (entries: number) =>
  withDefaults({ l2: [{ entries, ways: 4 }] });

/** Reads rows such as `384 lru 9`: the values of the axes, then the walks, or `×` for an error. */
function rows(text: string): readonly SweepRow[] {
  return text.split(", ").map((line, row) => {
    const words = line.split(" ");
    const walks = words.at(-1) ?? "";
    const at = words.slice(0, -1);
    return {
      row,
      at,
      setup: { machine: machine(Number(at[0])), os },
      cpu: undefined,
      report:
        walks === "×"
          ? undefined
          : ({ walks: { walks: Number(walks) } } as RunReport),
      error: walks === "×" ? "No." : undefined,
    };
  });
}

/** Writes a chart such as `log2 | a: 1=5 2=4`: the scale, and the points of each line. */
function drawn(text: string, names: readonly string[]): string {
  const chart = sweepChart(names, rows(text), "walks");
  if (!chart) return "none";
  const lines = chart.series.map(
    ({ name, points }) =>
      `${name}: ${points.map(([x, y]) => `${x}=${y}`).join(" ")}`,
  );
  return [chart.x.scale, ...lines].join(" | ");
}

test.each([
  ["1 9, 2 8, 4 7", "linear | walks: 1=9 2=8 4=7"],
  ["64 9, 512 5, 128 7", "log2 | walks: 64=9 128=7 512=5"],
  ["1 9, 2 ×, 3 7", "linear | walks: 1=9 3=7"],
  ["1 9, 2 8", "none"],
  ["lru 9, fifo 8, random 7", "none"],
  ["0 9, 8 8, 64 7", "linear | walks: 0=9 8=8 64=7"],
])("one_field_with_the_rows_%s_is_drawn_as_%s", (text, line) => {
  expect(drawn(text, ["STLB, entries"])).toBe(line);
});

test.each([
  [
    "1 lru 9, 2 lru 8, 3 lru 7, 1 fifo 9, 2 fifo 9, 3 fifo 8",
    "linear | b lru: 1=9 2=8 3=7 | b fifo: 1=9 2=9 3=8",
  ],
  ["lru 1 9, lru 2 8, lru 3 7", "linear | a lru: 1=9 2=8 3=7"],
  [
    "1 1 9, 2 2 8, 3 3 7, 4 4 6, 5 5 5, 6 6 4, 7 7 3",
    // There are more lines than a reader can distinguish.
    "none",
  ],
])("two_fields_with_the_rows_%s_are_drawn_as_%s", (text, lines) => {
  expect(drawn(text, ["a", "b"])).toBe(lines);
});

/** Returns the marks of a sweep whose rows share `shared`, next to a replay of `own`. */
function marks(shared: Partial<SweepSetup>, own: SweepSetup) {
  const all = rows("768 9, 1536 8, 3072 7").map((row) => ({
    ...row,
    setup: { ...row.setup, ...shared },
  }));
  return sweepChart(["x"], all, "walks", own)?.marks;
}

test("the_machine_of_the_replay_is_marked_where_it_is_a_row", () => {
  const of = (entries: number) => marks({}, { machine: machine(entries), os });
  expect(of(1536)).toEqual([{ x: 1536, label: "this machine" }]);
  expect(of(100)).toEqual([]);
});

const whole = { skip: 0, warmup: 0 };
const part = { skip: 0, warmup: 5, limit: 10 };

test.each([
  [{ cores: "one", window: whole }, {}, 1],
  [{ cores: "tid", window: part }, { cores: "tid", window: part }, 1],
  [{ cores: "one", window: part }, {}, 0],
  [{ cores: "one", window: whole }, { window: part }, 0],
  [{ cores: "tid", window: whole }, {}, 0],
  [{ cores: "one", window: whole }, { cores: "cpu" }, 0],
] as const)("of_rows_with_%j_a_replay_with_%j_marks_%s", (shared, own, n) => {
  const setup = { machine: machine(1536), os, ...own };
  expect(marks(shared, setup)).toHaveLength(n);
});

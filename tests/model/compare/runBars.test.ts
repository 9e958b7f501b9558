import { expect, test } from "vitest";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { runBars, runBarsCsv } from "../../../src/model/compare/runBars";

type Numbers = [l1: number, l2: number, walks: number];

function run(
  name: string,
  accesses: number,
  ends: Numbers,
  cycles: Numbers = [0, 0, 0],
) {
  const [l1_hits, l2_hits, walks] = ends;
  const [l2_hit, l2_miss, walk] = cycles;
  const none = { l1_hits: 0, l2_hits: 0, walks: 0 };
  const report = {
    trace: { accesses },
    kinds: {
      fetch: none,
      load: { l1_hits, l2_hits, walks },
      store: none,
      // Prefetches are no part of a bar.
      prefetch: { l1_hits: 9, l2_hits: 9, walks: 9 },
    },
    cycles: { l2_hit, l2_miss, walk, total: l2_hit + l2_miss + walk },
  };
  // Only these fields are drawn, so the cast is safe.
  return { name, report: report as unknown as RunReport };
}

const RUNS = [
  run("small", 100, [90, 6, 4], [40, 10, 150]),
  run("large", 200, [200, 0, 0], [100, 0, 0]),
  run("empty", 0, [0, 0, 0]),
];

test("bars_show_shares_of_translations_and_cycles_on_one_scale", () => {
  const lines = runBars(RUNS).map(({ name, ends, missing, costs, cost }) => {
    const text = (parts: typeof ends) =>
      parts
        .map(({ outcome, from, share, text }) =>
          [outcome, from.toFixed(2), share.toFixed(2), text].join(" "),
        )
        .join(" | ");
    return `${name}: ${text(ends)}; ${missing}\n  ${text(costs)}; ${cost}`;
  });
  expect(`\n${lines.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    small: l1-hit 0.00 0.90 90.0 % | l2-hit 0.90 0.06 6.0 % | walk 0.96 0.04 4.0 %; 10.0 %
      l2-hit 0.00 0.25 0.500 | walk 0.25 0.75 1.500; 2.000
    large: l1-hit 0.00 1.00 100 % | l2-hit 1.00 0.00 0 % | walk 1.00 0.00 0 %; 0 %
      l2-hit 0.00 0.25 0.500 | walk 0.25 0.00 0.000; 0.500
    empty: l1-hit 0.00 0.00 – | l2-hit 0.00 0.00 – | walk 0.00 0.00 –; –
      l2-hit 0.00 0.00 – | walk 0.00 0.00 –; 
    "
  `);
});

test("the_file_of_the_bars_has_their_counts", () => {
  expect(runBarsCsv(RUNS)).toMatchInlineSnapshot(`
    "run,accesses,l1_hits,l2_hits,walks,l2_cycles,cycles
    small,100,90,6,4,50,200
    large,200,200,0,0,100,100
    empty,0,0,0,0,0,0
    "
  `);
});

/** A measurement through the modules: the times of the small one, and what the whole one says about times. */
import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import type { ChaseSamples } from "../../src/engine/generated/ChaseSamples";
import init, { Measurement } from "../../src/engine/pkg/chase/pagewalk";
import { wasmEngine } from "./wasm";

let engine: EngineClient | undefined;
afterEach(() => engine?.dispose());

const MODULE = "src/engine/pkg/chase/pagewalk_bg.wasm";

/** The measurement that the tests of the command line show. */
function saved(): ChaseSamples {
  const text = readFileSync("sim-core/cli/tests/fixtures/chase.json", "utf8");
  const { measurements } = JSON.parse(text) as {
    readonly measurements: readonly { readonly samples: ChaseSamples }[];
  };
  const [first] = measurements;
  if (!first) throw new Error("The file has no measurement.");
  return first.samples;
}

test("the_browser_infers_what_the_command_line_infers", async () => {
  engine = wasmEngine();
  const report = await engine.start("compareChase", { samples: saved() });
  expect(report.levels.map(({ reach }) => reach)).toEqual([
    [72, 72],
    [2048, 2559],
  ]);
  expect(report.levels[0]?.cycles).toBeCloseTo(6.98, 1);
  const [best] = report.fits;
  expect([best?.cpu, best?.nested]).toEqual(["amd-zen4", true]);
  expect(report.machine?.name).toBe("Zen 4, as measured");
});

test("times_that_no_chase_makes_are_an_error", async () => {
  engine = wasmEngine();
  const samples = { ...saved(), adds: [1] };
  await expect(engine.start("compareChase", { samples })).rejects.toThrow(
    "1 rounds",
  );
});

test("a_larger_stride_is_compared_with_every_page", async () => {
  engine = wasmEngine();
  const every = saved();
  const samples = { ...every, stride: 8 };
  const { sentences } = await engine.start("compareChase", {
    samples,
    every_page: every,
  });
  expect(sentences).toContain(
    "The first level reaches as many pages as with every page: the lowest 3 bits of the page number alone do not choose its sets. It has one set, or other bits count, too.",
  );
});

test("the_module_times_loads_and_additions", async () => {
  await init({ module_or_path: readFileSync(MODULE) });
  const measurement = new Measurement(1);
  expect([...measurement.pages].slice(0, 3)).toEqual([4, 6, 8]);
  const [spread = 0, dense = 0] = measurement.times(0);
  for (const ns of [spread, dense, measurement.end_round()]) {
    expect(ns).toBeGreaterThan(0);
    expect(ns).toBeLessThan(1e6);
  }
  expect(() => measurement.times(1000)).toThrow();
  measurement.free();
});

test("larger_strides_begin_with_fewer_pages_and_need_no_more_than_256_MiB", async () => {
  await init({ module_or_path: readFileSync(MODULE) });
  const measurement = new Measurement(64);
  const pages = [...measurement.pages];
  expect([pages.slice(0, 3), pages.at(-1)]).toEqual([[1, 2, 3], 1024]);
  expect(measurement.times(pages.length - 1)).toHaveLength(2);
  measurement.free();
  expect(() => new Measurement(0)).toThrow("at least 1");
});

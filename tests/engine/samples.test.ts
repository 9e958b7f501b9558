/** Recordings of samples in the real modules: imported, surveyed, saved and opened again. */
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { processors } from "../../src/model/config/cpus";
import type { EngineClient } from "../../src/engine/client";
import { wasmEngine } from "./wasm";
import { warningText } from "../../src/model/import/formats";

let engine: EngineClient;
afterEach(() => engine.dispose());

const FIXTURES = new URL("../fixtures/traces/perf/", import.meta.url);

async function file(name: string): Promise<Blob> {
  return new Blob([await readFile(new URL(name, FIXTURES))]);
}

async function open(name: string) {
  engine = wasmEngine();
  return engine.start("import", { file: await file(name), name });
}

test("measured_levels_come_with_the_samples", async () => {
  const trace = await open("data/quipper-weight_struct.gz");
  expect(trace).toMatchObject({ n_accesses: 14, samples: 14 });
  const { data, faults, code } = await engine.start("survey", {});
  expect([faults, code]).toEqual([null, null]);
  // Intel's processors do not distinguish level 1 from level 2.
  expect(data?.total.levels).toMatchObject({ l1: 0, l2: 0, unknown: 0 });
  const { no_walk: either = 0, walk = 0 } = data?.total.levels ?? {};
  expect(either + walk).toBe(data?.total.weight);
  expect(either).toBeGreaterThan(0);
  expect(data?.completeness).toBe("latency-filtered");
  expect(data?.pages_4k).toBe(14);
});

test("estimates_are_made_for_a_machine", async () => {
  const trace = await open("data/cpuclock-sort.perf.data.gz");
  // The recording has only instruction pointers, so there is nothing to replay.
  expect(trace).toMatchObject({ n_accesses: 0, samples: 1550 });
  const [cpu] = processors(await engine.call("cpus", {}));
  expect((await engine.start("survey", {})).code?.estimates).toEqual([]);
  const machine = cpu?.machine;
  const { code, data } = await engine.start(
    "survey",
    machine ? { machine } : {},
  );
  expect(data).toBeNull();
  expect(code?.total.samples).toBe(1550);
  expect(code?.estimates.length).toBeGreaterThan(0);
  for (const { low, hit_rate: rate, high } of code?.estimates ?? []) {
    expect(low).toBeLessThanOrEqual(rate);
    expect(rate).toBeLessThanOrEqual(high);
  }
  const user = await engine.start("survey", { who: "user" });
  const kernel = await engine.start("survey", { who: "kernel" });
  const parts = [user, kernel].map(({ code }) => code?.total.samples ?? 0);
  expect(parts.reduce((sum, n) => sum + n)).toBe(1550);
});

test("first_touches_have_a_side_of_their_own", async () => {
  const trace = await open("data/pf-matmul.perf.data.gz");
  expect(trace).toMatchObject({ n_accesses: 400, samples: 400 });
  const { data, faults } = await engine.start("survey", {});
  expect(data).toBeNull();
  expect(faults).toMatchObject({
    completeness: "first-touches",
    pages_4k: 397,
  });
  expect(faults?.bins.pages.at(-1)).toBe(397);
});

test.each([
  "data/quipper-weight_struct.gz",
  "data/multi.perf.data.gz",
  "data/cpuclock-sort.perf.data.gz",
  "data/tp-pipe.perf.data.gz",
  "script/pf-matmul.header-mmap.txt.gz",
])("samples_are_saved_with_the_trace: %s", async (name) => {
  const trace = await open(name);
  const before = await engine.start("survey", {});
  const saved = await engine.start("save", {});
  engine.dispose();
  engine = wasmEngine();
  const reopened = await engine.start("import", { file: saved.file, name });
  expect(reopened.samples).toBe(trace.samples);
  expect(reopened.import).toEqual(trace.import);
  const after = await engine.start("survey", {});
  // Overlapping ranges of memory are joined when the trace is saved.
  expect({ ...after, bytes: 0 }).toEqual({ ...before, bytes: 0 });
  expect((await engine.start("save", {})).hash).toBe(saved.hash);
});

test("a_list_of_accesses_has_none", async () => {
  engine = wasmEngine();
  const list = new Blob(["load 0x1000 8\n"]);
  expect(
    (await engine.start("import", { file: list, name: "list" })).samples,
  ).toBeUndefined();
  await expect(engine.start("survey", {})).rejects.toMatchObject({
    code: "bad-trace",
    message: expect.stringContaining("no samples") as string,
  });
});

test("an_import_after_it_takes_the_samples_away", async () => {
  await open("data/quipper-weight_struct.gz");
  await engine.start("import", {
    file: new Blob(["load 0x1000 8\n"]),
    name: "list",
  });
  await expect(engine.start("survey", {})).rejects.toMatchObject({
    code: "bad-trace",
  });
});

test("breakpoints_without_an_address_open_as_code_and_say_so", async () => {
  const trace = await open("script/bp-touch.default.txt.gz");
  expect(trace.import.warnings.map(warningText).join()).toContain(
    "no data address",
  );
  const { data, code } = await engine.start("survey", {});
  expect(data).toBeNull();
  expect(code?.total.samples).toBeGreaterThan(0);
});

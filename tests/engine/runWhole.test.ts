/** Tests of whole runs next to the replay: their order, and that their counts equal those of a run. */
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import { directEngine } from "../../src/engine/directEngine";
import type { Progress, Setup } from "../../src/engine/engine";
import type { MachineConfig } from "../../src/engine/generated/MachineConfig";
import type { OsConfig } from "../../src/engine/generated/OsConfig";
import { withDefaults } from "../../src/model/config/defaults";
import { fakeModules } from "./fakeModule";
import { wasmEngine } from "./wasm";

const os: OsConfig = { default: "4K", regions: [], frames: "sequential" };

function setup(part: Partial<MachineConfig> = {}): Setup {
  return { machine: { name: "m", ...part } as MachineConfig, os };
}

let engine: EngineClient;
let log: string[];
afterEach(() => engine.dispose());

async function start(n: number) {
  log = [];
  engine = directEngine(() => Promise.resolve(fakeModules(log)));
  await engine.start("import", {
    file: new Blob(["access\n".repeat(n)]),
    name: "a",
  });
  await engine.call("configure", setup());
}

test("everything_else_goes_before_a_whole_run", async () => {
  await start(40);
  const order: string[] = [];
  const all = {
    whole: engine.start("runWhole", setup({ name: "x" })),
    rerun: engine.start("runWhole", setup({ name: "y" })),
    seek: engine.call("seek", { index: 1 }),
    run: engine.start("run", {}),
    find: engine.start("find", {
      index: 7,
      direction: 1,
      target: { what: "walk" },
    }),
    configure: engine.call("configure", setup({ name: "other" })),
  };
  await Promise.all(
    Object.entries(all).map(([name, done]) =>
      done.then(() => order.push(name)),
    ),
  );
  expect(order).toEqual(["seek", "run", "find", "configure", "whole", "rerun"]);
});

test("a_whole_run_is_of_the_trace_that_was_open_when_it_began", async () => {
  await start(30);
  let begun = () => {};
  const isUnderWay = new Promise<void>((resolve) => (begun = resolve));
  const whole = engine.start("runWhole", setup(), {
    onProgress: () => begun(),
  });
  await isUnderWay;
  await engine.start("import", { file: new Blob(["access\n"]), name: "b" });
  expect(await whole).toMatchObject({ trace: { accesses: 30 } });
  expect(await engine.start("runWhole", setup())).toMatchObject({
    trace: { accesses: 1 },
  });
});

test("a_whole_run_reports_progress_and_can_be_cancelled", async () => {
  await start(500);
  const abort = new AbortController();
  const reports: Progress[] = [];
  const whole = engine.start("runWhole", setup(), {
    signal: abort.signal,
    onProgress: (progress) => {
      reports.push(progress);
      abort.abort();
    },
  });
  await expect(whole).rejects.toMatchObject({ code: "cancelled" });
  expect(reports[0]).toMatchObject({ unit: "accesses", total: 500 });
  expect(log.at(-1)).toBe("end runWhole");
});

test("a_machine_that_cannot_be_is_refused_and_the_others_go_on", async () => {
  await start(3);
  const rejected = engine.start("runWhole", setup({ levels: 9 }));
  const good = engine.start("runWhole", setup());
  await expect(rejected).rejects.toMatchObject({
    code: "bad-config",
    at: { field: "levels" },
  });
  expect(await good).toMatchObject({ trace: { accesses: 3 } });
});

test("the_whole_module_takes_the_trace_of_the_small_one_once", async () => {
  log = [];
  engine = directEngine(() => Promise.resolve(fakeModules(log)));
  await engine.call("open", { file: new Blob(["access\n"]), name: "shipped" });
  await engine.call("configure", setup());
  await engine.start("run", {});
  const before = [...log];
  await engine.start("runWhole", setup());
  await engine.start("runWhole", setup({ name: "other" }));
  const count = (entry: string) =>
    log.filter((line) => line.startsWith(entry)).length;
  // Lasting calls are repeated in their order, and the small session is freed.
  expect(log.slice(before.length, 2 * before.length)).toEqual(before);
  expect([count("open"), count("end runWhole"), count("free")]).toEqual([
    2, 2, 1,
  ]);
  await engine.start("import", { file: new Blob(["access\n"]), name: "a" });
  await engine.start("runWhole", setup());
  expect([count("open"), count("end runWhole"), count("free")]).toEqual([
    2, 3, 1,
  ]);
});

test("a_whole_run_goes_on_when_another_trace_is_opened", async () => {
  log = [];
  engine = directEngine(() => Promise.resolve(fakeModules(log)));
  const file = new Blob(["access\n".repeat(500)]);
  await engine.call("open", { file, name: "shipped" });
  let begun = () => {};
  const isUnderWay = new Promise<void>((resolve) => (begun = resolve));
  const whole = engine.start("runWhole", setup(), {
    onProgress: () => begun(),
  });
  await isUnderWay;
  await engine.start("import", { file: new Blob(["access\n"]), name: "b" });
  expect(await whole).toMatchObject({ trace: { accesses: 500 } });
  expect(log.at(-1)).toBe("end runWhole");
});

test("a_whole_run_counts_what_a_run_counts_and_leaves_the_replay_alone", async () => {
  engine = wasmEngine();
  const cpus = await engine.call("cpus", {});
  const trace = new Blob([await readFile("public/traces/chase.pagewalk.gz")]);
  const setups = cpus
    .filter(({ id }) => /skylake-sp|zen2|sandy/.test(id))
    .flatMap(({ machine }): Setup[] => [
      { machine, os },
      { machine, os: { ...os, default: "2M" } },
      { machine, os, window: { skip: 1000, warmup: 500, limit: 20_000 } },
    ]);
  const here: Setup = {
    machine: withDefaults({ l1: [{ name: "L1", entries: 4, ways: 2 }] }),
    os,
  };
  await engine.call("configure", here);
  for (const isImport of [false, true]) {
    const expected = [];
    const args = { file: trace, name: "chase" };
    if (isImport) await engine.start("import", args);
    else await engine.call("open", args);
    for (const setup of setups) {
      await engine.call("configure", setup);
      expected.push(await engine.start("run", {}));
    }
    await engine.call("configure", here);
    const report = await engine.start("run", {});
    const before = await engine.call("seek", { index: 4321 });
    const found = await Promise.all(
      setups.map((s) => engine.start("runWhole", s)),
    );
    expect(found).toEqual(expected);
    expect(found.map(({ trace }) => trace.part === true)).toEqual(
      setups.map(({ window }) => window !== undefined),
    );
    const different = new Set(found.map((report) => JSON.stringify(report)));
    expect(different.size).toBe(setups.length);
    expect(await engine.call("seek", { index: 4321 })).toEqual(before);
    expect(await engine.start("run", {})).toEqual(report);
  }
});

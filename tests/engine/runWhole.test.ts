/** Whole runs beside the replay: how they are served, and that they count what a run counts. */
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
  await engine.importFile(new Blob(["access\n".repeat(n)]), "a");
  await engine.configure(setup());
}

test("everything_else_goes_before_a_whole_run", async () => {
  await start(40);
  const order: string[] = [];
  const all = {
    whole: engine.runWhole(setup({ name: "x" })),
    again: engine.runWhole(setup({ name: "y" })),
    seek: engine.seek(1),
    run: engine.run(),
    find: engine.find(7, 1, { what: "walk" }),
    configure: engine.configure(setup({ name: "other" })),
  };
  await Promise.all(
    Object.entries(all).map(([name, done]) =>
      done.then(() => order.push(name)),
    ),
  );
  expect(order).toEqual(["seek", "run", "find", "configure", "whole", "again"]);
});

test("a_whole_run_is_of_the_trace_that_was_open_when_it_began", async () => {
  await start(30);
  let begun = () => {};
  const isUnderWay = new Promise<void>((resolve) => (begun = resolve));
  const whole = engine.runWhole(setup(), { onProgress: () => begun() });
  await isUnderWay;
  await engine.importFile(new Blob(["access\n"]), "b");
  expect(await whole).toMatchObject({ trace: { accesses: 30 } });
  expect(await engine.runWhole(setup())).toMatchObject({
    trace: { accesses: 1 },
  });
});

test("a_whole_run_reports_progress_and_can_be_cancelled", async () => {
  await start(500);
  const abort = new AbortController();
  const reports: Progress[] = [];
  const whole = engine.runWhole(setup(), {
    signal: abort.signal,
    onProgress: (progress) => {
      reports.push(progress);
      abort.abort();
    },
  });
  await expect(whole).rejects.toMatchObject({ code: "cancelled" });
  expect(reports[0]).toMatchObject({ unit: "accesses", total: 500 });
  expect(log.at(-1)).toBe("end whole");
});

test("a_machine_that_cannot_be_is_refused_and_the_others_go_on", async () => {
  await start(3);
  const refused = engine.runWhole(setup({ levels: 9 }));
  const good = engine.runWhole(setup());
  await expect(refused).rejects.toMatchObject({
    code: "bad-config",
    at: { field: "levels" },
  });
  expect(await good).toMatchObject({ trace: { accesses: 3 } });
});

test("a_trace_of_the_small_module_is_copied_once_and_kept_until_there_is_another", async () => {
  log = [];
  engine = directEngine(() => Promise.resolve(fakeModules(log)));
  await engine.openShipped(new Blob(["access\n"]), "shipped");
  const count = (entry: string) => log.filter((e) => e === entry).length;
  await engine.runWhole(setup());
  await engine.runWhole(setup({ name: "other" }));
  expect([count("end whole"), count("open "), count("free")]).toEqual([
    2, 1, 0,
  ]);
  await engine.importFile(new Blob(["access\n"]), "a");
  await engine.runWhole(setup());
  expect([count("end whole"), count("open "), count("free")]).toEqual([
    3, 1, 1,
  ]);
});

test("a_copy_that_is_run_is_let_go_when_its_run_is_over", async () => {
  log = [];
  engine = directEngine(() => Promise.resolve(fakeModules(log)));
  await engine.openShipped(new Blob(["access\n".repeat(500)]), "shipped");
  let begun = () => {};
  const isUnderWay = new Promise<void>((resolve) => (begun = resolve));
  const whole = engine.runWhole(setup(), { onProgress: () => begun() });
  await isUnderWay;
  await engine.importFile(new Blob(["access\n"]), "b");
  expect(log).not.toContain("free");
  expect(await whole).toMatchObject({ trace: { accesses: 500 } });
  expect(log.slice(-2)).toEqual(["end whole", "free"]);
});

test("a_whole_run_counts_what_a_run_counts_and_leaves_the_replay_alone", async () => {
  engine = wasmEngine();
  const cpus = await engine.cpus();
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
  await engine.configure(here);
  // First in the small module, then in the whole one.
  for (const open of ["openShipped", "importFile"] as const) {
    const expected = [];
    await engine[open](trace, "chase");
    for (const setup of setups) {
      await engine.configure(setup);
      expected.push(await engine.run());
    }
    await engine.configure(here);
    const report = await engine.run();
    const before = await engine.seek(4321);
    const found = await Promise.all(setups.map((s) => engine.runWhole(s)));
    expect(found).toEqual(expected);
    expect(found.map(({ trace }) => trace.part === true)).toEqual(
      setups.map(({ window }) => window !== undefined),
    );
    const different = new Set(found.map((report) => JSON.stringify(report)));
    expect(different.size).toBe(setups.length);
    expect(await engine.seek(4321)).toEqual(before);
    expect(await engine.run()).toEqual(report);
  }
});

/** Tests of outputs of perf stat through the module: recordings, examples, and comparisons with a run. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import { EngineError } from "../../src/engine/engine";
import { RECORD_VENDORS } from "../../src/model/measured/commands";
import { STAT_EXAMPLES } from "../../src/model/measured/examples";
import { wasmEngine } from "./wasm";

let engine: EngineClient;
afterEach(() => engine.dispose());

const FIXTURES = "tests/fixtures/perfstat/";
const fixture = (name: string) => readFileSync(FIXTURES + name, "utf8");
const why = (error: unknown) =>
  error instanceof EngineError ? error.code : String(error);

test("every_recording_is_read_and_leads_an_import_here", async () => {
  engine = wasmEngine();
  const names = readdirSync(FIXTURES).filter((name) => name !== "README.md");
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) {
    const text = fixture(name);
    const { counters } = await engine.call("measure", { text });
    expect(counters.length, name).toBeGreaterThan(0);
    const imported = engine.start("import", { file: new Blob([text]), name });
    expect(await imported.catch(why), name).toBe("counters");
  }
});

test("the_examples_are_the_recordings", () => {
  for (const { id, text } of STAT_EXAMPLES)
    expect(text, id).toBe(fixture(`${id}.txt`));
});

test("a_run_of_the_machine_stands_beside", async () => {
  engine = wasmEngine();
  const [cpu] = (await engine.call("cpus", {})).filter(
    ({ id }) => id === "amd-zen2",
  );
  if (!cpu) throw new Error("There is no Zen 2.");
  const os = {
    default: "4K" as const,
    regions: [],
    frames: "sequential" as const,
  };
  await engine.call("configure", { machine: cpu.machine, os });
  const params = { accesses: "100000", bytes: "64M" };
  await engine.start("generate", { id: "uniform", params });
  const run = await engine.start("run", {});
  const text = `1000,,instructions:u,1,100.00,,\n${run.kinds.load.walks},,ls_l1_d_tlb_miss.all_l2_miss:u,1,100.00,,\n`;
  const { family, counters } = await engine.call("measure", {
    text,
    ...{ cpu: cpu.id, run },
  });
  expect(family).toMatchObject({ id: "amd-zen", from: "machine" });
  expect(counters[1]?.beside?.simulated).toBe(
    run.kinds.load.walks + run.kinds.store.walks,
  );
  const asked = await engine.call("measure", { text, ...{ family: "arm" } });
  expect(asked.family).toMatchObject({ id: "arm", from: "asked" });
});

test("what_is_no_output_of_perf_stat_is_refused_with_its_line", async () => {
  engine = wasmEngine();
  const error = await engine
    .call("measure", { text: "\nload 0x1000 8\n" })
    .catch((e: unknown) => e);
  expect(error).toMatchObject({ code: "unknown-format", at: { line: 2 } });
});

test("every_event_of_the_commands_has_a_meaning_on_its_processor", async () => {
  engine = wasmEngine();
  const of = {
    intel: "intel-skylake",
    "intel-old": "intel-sandy-bridge",
    amd: "amd-zen",
    arm: "arm",
    any: "intel-skylake",
  } as const;
  for (const { id, commands } of RECORD_VENDORS)
    for (const { command } of commands) {
      const events = /-e (\S+)/.exec(command)?.[1]?.split(",") ?? [];
      const text = events.map((event) => `5,,${event},1,100.00,,\n`).join("");
      const { counters } = await engine.call("measure", {
        text,
        ...{ family: of[id] },
      });
      const unknown = counters.filter(({ meaning }) => meaning === null);
      expect(
        unknown.map(({ name }) => name.full),
        id,
      ).toEqual([]);
    }
});

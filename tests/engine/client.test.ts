import { expect, test } from "vitest";
import { directEngine } from "../../src/engine/directEngine";
import { EngineError } from "../../src/engine/engine";
import type { Progress } from "../../src/engine/engine";
import type { EcptConfig } from "../../src/engine/generated/EcptConfig";
import type { MachineConfig } from "../../src/engine/generated/MachineConfig";
import type { VictimaConfig } from "../../src/engine/generated/VictimaConfig";
import { lines, setup, start } from "./fakeClient";
import { fakeModules } from "./fakeModule";

test("a_file_is_read_piece_by_piece_and_its_view_comes_back", async () => {
  const { engine } = start();
  const trace = await engine.start("import", {
    file: lines(100_000),
    name: "a.log",
  });
  expect(trace).toMatchObject({ name: "a.log", n_accesses: 100_000 });
});

test("an_error_keeps_its_code_and_its_place", async () => {
  const { engine } = start();
  await expect(
    engine.start("import", { file: new Blob(["bad\n"]), name: "b" }),
  ).rejects.toThrow(
    expect.objectContaining({
      name: "EngineError",
      code: "bad-trace",
      at: { line: 1 },
    }),
  );
  await expect(engine.call("configure", setup({ levels: 9 }))).rejects.toThrow(
    expect.objectContaining({ code: "bad-config", at: { field: "levels" } }),
  );
});

test("a_newer_seek_drops_the_waiting_older_ones", async () => {
  const { engine, log } = start();
  await engine.start("import", { file: lines(8), name: "a" });
  await engine.call("configure", setup());
  // The run keeps the session busy while the seeks arrive.
  const run = engine.start("run", {});
  const seeks = await Promise.allSettled(
    [1, 2, 3].map((i) => engine.call("seek", { index: i })),
  );
  await run;
  expect(seeks.map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
    "fulfilled",
  ]);
  expect(log.filter((line) => line.startsWith("seek"))).toEqual([
    'seek {"index":3}',
  ]);
});

test("a_snapshot_has_the_columns_of_every_structure", async () => {
  const { engine } = start();
  await engine.call("configure", setup());
  const { step, columns } = await engine.call("seek", { index: 5 });
  expect(step.index).toBe(5);
  expect(columns).toHaveLength(2);
  expect(columns[0]?.keys).toBeInstanceOf(BigUint64Array);
});

test("a_snapshot_may_have_the_columns_of_another_core", async () => {
  const { engine, log } = start();
  await engine.call("configure", setup());
  expect((await engine.call("seek", { index: 5 })).core).toBeUndefined();
  expect((await engine.call("seek", { index: 5, core: 0 })).core).toBe(0);
  expect((await engine.call("seek", { index: 6, core: 31 })).core).toBe(31);
  expect(log.filter((line) => line.startsWith("seek"))).toEqual([
    'seek {"index":5}',
    'seek {"index":5,"core":0}',
    'seek {"index":6,"core":31}',
  ]);
});

test("a_find_ends_with_its_access", async () => {
  const { engine } = start();
  expect(
    await engine.start("find", {
      index: 7,
      direction: 1,
      target: { what: "walk" },
    }),
  ).toBe(8);
});

test("a_seek_does_not_wait_for_the_end_of_a_search", async () => {
  const { engine } = start();
  const order: string[] = [];
  const find = engine
    .start("find", { index: 7, direction: 1, target: { what: "walk" } })
    .then(() => {
      order.push("find");
    });
  const seek = engine.call("seek", { index: 1 }).then(() => {
    order.push("seek");
  });
  await Promise.all([find, seek]);
  expect(order).toEqual(["seek", "find"]);
});

test("a_run_reports_progress_and_can_be_cancelled", async () => {
  const { engine } = start();
  await engine.start("import", { file: lines(500), name: "a" });
  const abort = new AbortController();
  const reports: Progress[] = [];
  const run = engine.start(
    "run",
    {},
    {
      signal: abort.signal,
      onProgress: (progress) => {
        reports.push(progress);
        abort.abort();
      },
    },
  );
  await expect(run).rejects.toMatchObject({ code: "cancelled" });
  expect(reports[0]).toMatchObject({ unit: "accesses" });
  expect(reports[0]?.rate).toBeGreaterThan(0);
});

test("a_cancelled_import_leaves_the_trace_of_before", async () => {
  const { engine, log } = start();
  await engine.start("import", { file: lines(3), name: "old" });
  const abort = new AbortController();
  const reading = engine.start(
    "import",
    { file: endless(), name: "new" },
    { signal: abort.signal },
  );
  setTimeout(() => abort.abort(), 30);
  await expect(reading).rejects.toMatchObject({ code: "cancelled" });
  expect(log).toContain("end import");
  expect(await engine.start("run", {})).toMatchObject({
    trace: { accesses: 3 },
  });
});

test("a_new_file_takes_the_place_of_one_that_is_still_read", async () => {
  const { engine } = start();
  const first = engine.start("import", { file: endless(), name: "first" });
  const second = engine.start("import", { file: lines(2), name: "second" });
  await expect(first).rejects.toMatchObject({ code: "cancelled" });
  expect(await second).toMatchObject({ name: "second" });
});

test("a_trace_is_generated_in_slices_and_can_be_cancelled", async () => {
  const { engine, log } = start();
  const reports: Progress[] = [];
  const workload = { id: "uniform", params: { bytes: "1M" } };
  const trace = await engine.start("generate", workload, {
    onProgress: (progress) => reports.push(progress),
  });
  expect(trace).toMatchObject({ name: "made", n_accesses: 50 });
  expect(log).toContain(`generate ${JSON.stringify(workload)}`);
  expect(reports[0]).toMatchObject({ unit: "accesses", total: 50 });
  const abort = new AbortController();
  const second = engine.start("generate", workload, {
    signal: abort.signal,
    onProgress: () => abort.abort(),
  });
  await expect(second).rejects.toMatchObject({ code: "cancelled" });
  expect(log.at(-1)).toBe("end generate");
});

test("an_experiment_runs_in_slices_and_lets_seeks_in", async () => {
  const { engine, log } = start();
  await engine.start("import", { file: lines(8), name: "a" });
  await engine.call("configure", setup());
  const found: Progress[] = [];
  const run = engine.start(
    "experiment",
    { id: "known" },
    {
      onProgress: (progress) => {
        if (found.push(progress) === 1) void engine.call("seek", { index: 3 });
      },
    },
  );
  expect(await run).toEqual({ id: "known" });
  expect(found[0]).toMatchObject({ total: 50, unit: "accesses" });
  expect(log.slice(-3)).toEqual([
    'experiment {"id":"known"}',
    'seek {"index":3}',
    "end experiment",
  ]);
});

test("an_experiment_can_be_cancelled_and_is_dropped_then", async () => {
  const { engine, log } = start();
  const abort = new AbortController();
  const run = engine.start(
    "experiment",
    { id: "known" },
    {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    },
  );
  await expect(run).rejects.toThrow(
    expect.objectContaining({ code: "cancelled" }),
  );
  expect(log.at(-1)).toBe("end experiment");
});

test("a_survey_tells_its_progress_and_can_be_cancelled", async () => {
  const { engine, log } = start();
  await engine.start("import", { file: lines(1), name: "one.data" });
  const found: Progress[] = [];
  const options = { onProgress: (progress: Progress) => found.push(progress) };
  expect(await engine.start("survey", { who: "user" }, options)).toEqual({
    samples: 1,
  });
  expect(found[0]).toMatchObject({ total: 1000, unit: "parts" });
  expect(log.at(-2)).toBe('survey {"who":"user"}');
  const abort = new AbortController();
  const run = engine.start(
    "survey",
    {},
    { signal: abort.signal, onProgress: () => abort.abort() },
  );
  await expect(run).rejects.toMatchObject({ code: "cancelled" });
  expect(log.at(-1)).toBe("end survey");
});

test("an_unknown_experiment_is_refused", async () => {
  const { engine } = start();
  await expect(engine.start("experiment", { id: "unknown" })).rejects.toThrow(
    expect.objectContaining({ code: "bad-config" }),
  );
});

test("a_form_is_checked_while_a_run_goes_on", async () => {
  const { engine } = start();
  await engine.start("import", { file: lines(500), name: "a" });
  const order: string[] = [];
  const run = engine.start("run", {}).then(() => order.push("run"));
  const check = engine
    .call("checkWorkload", { id: "uniform", params: {} })
    .then(() => order.push("check"));
  await Promise.all([run, check]);
  expect(order).toEqual(["check", "run"]);
});

/** Returns a file that is too long to be read during a test. */
function endless(): Blob {
  const text = new TextEncoder().encode("access\n".repeat(1000));
  const blob = new Blob([]);
  blob.stream = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        controller.enqueue(text);
      },
    });
  return blob;
}

test("what_the_first_module_cannot_do_waits_for_the_whole_one_and_lets_the_rest_pass", async () => {
  const log: string[] = [];
  const modules = fakeModules(log);
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const whole = () => arrived.then(() => modules.whole());
  const engine = directEngine(() => Promise.resolve({ ...modules, whole }));
  await engine.call("configure", setup({ name: "kept" }));
  await engine.call("open", { file: lines(3), name: "shipped" });
  const made = engine.start("generate", { id: "loads", params: {} });
  expect((await engine.call("seek", { index: 1 })).step.index).toBe(1);
  expect(log.filter((line) => line.startsWith("generate"))).toEqual([]);
  arrive();
  expect(await made).toMatchObject({ name: "made" });
  // The new session has the machine of the previous one.
  const configured = log.filter((line) => line.startsWith("configure"));
  expect(configured).toHaveLength(2);
  expect(configured[1]).toBe(configured[0]);
  expect(await engine.start("run", {})).toMatchObject({
    trace: { accesses: 50 },
  });
});

test("a_whole_module_that_does_not_load_fails_what_needs_it_and_is_tried_again", async () => {
  const modules = fakeModules();
  let tries = 0;
  const whole = () => {
    tries += 1;
    return tries < 3
      ? Promise.reject(new EngineError("unsupported", "Not loaded."))
      : modules.whole();
  };
  const engine = directEngine(() => Promise.resolve({ ...modules, whole }));
  await engine.call("open", { file: lines(3), name: "shipped" });
  const rejected = { code: "unsupported", message: "Not loaded." };
  await expect(engine.call("experiments", {})).rejects.toMatchObject(rejected);
  await expect(
    engine.start("import", { file: lines(4), name: "a" }),
  ).rejects.toMatchObject(rejected);
  expect((await engine.call("seek", { index: 2 })).step.index).toBe(2);
  expect(
    await engine.start("import", { file: lines(4), name: "a" }),
  ).toMatchObject({ name: "a" });
});

test("a_machine_of_the_whole_module_is_refused_if_that_does_not_load", async () => {
  const failure = new EngineError("unsupported", "Not loaded.");
  const whole = () => Promise.reject(failure);
  const engine = directEngine(() =>
    Promise.resolve({ ...fakeModules(), whole }),
  );
  await engine.call("open", { file: lines(3), name: "shipped" });
  await expect(
    engine.call("configure", setup({ pom_tlb: { size: "16M" } })),
  ).rejects.toMatchObject({ code: "unsupported", message: "Not loaded." });
});

test("a_look_at_a_file_reads_its_beginning_and_changes_nothing", async () => {
  const { engine, log } = start();
  await engine.start("import", { file: lines(3), name: "old" });
  const list = { base: "hex" } as const;
  const small = await engine.call("peek", {
    file: lines(2),
    request: { name: "a", format: "csv", list },
  });
  expect(small).toMatchObject({
    request: { name: "a", format: "csv", list },
    bytes: 14,
    is_whole: true,
  });
  const large = await engine.call("peek", {
    file: lines(1_000_000),
    request: { name: "a" },
  });
  expect(large).toMatchObject({ bytes: 1 << 20, is_whole: false });
  expect(log.filter((line) => line.startsWith("import"))).toEqual([
    'import {"name":"old"}',
  ]);
  expect(await engine.start("run", {})).toMatchObject({
    trace: { accesses: 3 },
  });
});

test("a_trace_of_the_small_module_is_written_by_the_whole_one", async () => {
  const { engine, log } = start();
  await engine.call("open", { file: lines(3), name: "shipped" });
  const { file, lost } = await engine.start("export", { format: "csv" });
  expect(file.size).toBe(50 * "line\n".length);
  expect(lost).toMatchObject([{ what: "sizes" }]);
  expect(log).toContain('export {"format":"csv"}');
  // The whole module repeats the calls whose effect lasts.
  const opened = 'open {"name":"shipped"}';
  expect(log.filter((entry) => entry === opened)).toHaveLength(2);
});

const victima: VictimaConfig = {
  min_walks: 1,
  min_dram_reads: 1,
  fills: "both",
  replacement: "lru",
};
const ecpt: EcptConfig = {
  ways: 3,
  entries: 64,
  load: 60,
  growth: 2,
  pmd_cwc: 16,
  pud_cwc: 2,
  cycles: 6,
  early: false,
};
test.each<[string, Partial<MachineConfig>]>([
  ["a_pom_tlb", { pom_tlb: { size: "16M" } }],
  ["tlb_blocks", { victima }],
  ["hashed_page_tables", { ecpt }],
  ["a_nested_tlb_in_level_2", { virt: { nested_tlb: { in: "L2 TLB" } } }],
  [
    "a_nested_tlb_in_level_2_after_its_pages",
    { virt: { nested_tlb: { data: true, pages: ["2M"], in: "L2 TLB" } } },
  ],
  [
    "masks",
    {
      l1: [{ entries: 2, ways: 1, index: { "xor-masks": ["0x3"] } }],
    },
  ],
])("only_the_whole_module_has_a_machine_with_%s", async (_, part) => {
  const { engine, log } = start();
  await engine.call("open", { file: lines(3), name: "shipped" });
  const opened = 'open {"name":"shipped"}';
  const times = () => log.filter((entry) => entry === opened).length;
  await engine.call("configure", setup());
  expect(times()).toBe(1);
  await engine.call("configure", setup(part));
  expect(times()).toBe(2);
});

test("an_export_can_be_cancelled_and_leaves_nothing_behind", async () => {
  const { engine, log } = start();
  await engine.start("import", { file: lines(3), name: "a" });
  const abort = new AbortController();
  const writing = engine.start(
    "export",
    { format: "din" },
    {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    },
  );
  await expect(writing).rejects.toMatchObject({ code: "cancelled" });
  expect(log).toContain("end export");
  expect(await engine.start("run", {})).toMatchObject({
    trace: { accesses: 3 },
  });
});

/** The page sizes of a recording in the real engine: the counters are those of `pagewalk run` on the same file. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import type { Setup } from "../../src/engine/engine";
import type { OsConfig } from "../../src/engine/generated/OsConfig";
import { AS_RECORDED, withPages } from "../../src/model/config/pagePolicies";
import { wasmEngine } from "./wasm";

let engine: EngineClient;
beforeEach(() => {
  engine = wasmEngine();
});
afterEach(() => engine.dispose());

/** Lines of `perf script`, as `recorded_pages.rs` has them: `address:size`. */
const recording = (samples: string) =>
  new Blob(
    samples.split(" ").map((word, at) => {
      const [address, size] = word.split(":");
      return `touch  9/9  [000]  1.${String(at).padStart(6, "0")}:  1  mem:0x600000000000:  ${address}  1e05080021 |OP LOAD|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A  0  4011d2 main (/tmp/touch)  0 ${size} 4K\n`;
    }),
  );

const TWO_PAGES =
  "600000000000:2M 600000001000:2M 406000:4K 6000001ff000:2M 406008:4K 600000100000:2M";

const plain: OsConfig = { default: "4K", regions: [], frames: "sequential" };

async function setupOf(cpu: string): Promise<Setup> {
  const model = (await engine.call("cpus", {})).find(({ id }) => id === cpu);
  if (!model) throw new Error("There is no such CPU.");
  const { machine } = model;
  return { machine, os: withPages(plain, machine, AS_RECORDED) };
}

async function open(samples: string) {
  const setup = await setupOf("intel-skylake");
  const file = recording(samples);
  const trace = await engine.start("import", { file, name: "two" });
  return { setup, trace };
}

async function runOf(setup: Setup) {
  await engine.call("configure", setup);
  const { walks, pages } = await engine.start("run", {});
  return { walks: walks.walks, pages };
}

test("a_run_as_recorded_has_the_counters_of_the_command_line", async () => {
  const { setup, trace } = await open(TWO_PAGES);
  expect(trace.recorded).toMatchObject({
    others: "4K",
    n_ranges: 1,
    ranges: [{ start: "0x600000000000", end: "0x600000200000", pages: "2M" }],
  });
  expect(trace.recorded).not.toHaveProperty("warning");
  // The numbers of `each_page_that_was_measured_is_walked_once` and `an_option_decides_instead`.
  expect(await runOf(setup)).toEqual({
    walks: 2,
    pages: { "1G": 0, "2M": 1, "4K": 1, table_pages: 6 },
  });
  expect(await runOf({ ...setup, os: plain })).toEqual({
    walks: 5,
    pages: { "1G": 0, "2M": 0, "4K": 5, table_pages: 7 },
  });
  const again = await engine.start("runWhole", setup);
  expect(again.walks.walks).toBe(2);
});

test("contradictions_are_a_warning", async () => {
  const { setup, trace } = await open(
    "600000000000:2M 600000001000:2M 600000002000:4K",
  );
  expect(trace.recorded?.warning).toBe(
    "1 samples measured another page size than this run maps. Memory that was measured with several sizes has the one of most samples",
  );
  expect((await runOf(setup)).walks).toBe(1);
});

test("pages_of_the_smallest_size_are_nothing_to_choose", async () => {
  const { setup, trace } = await open("600000000000:4K 600000001000:4K");
  expect(trace).not.toHaveProperty("recorded");
  expect((await runOf(setup)).walks).toBe(2);
});

test("a_machine_without_such_pages_rejects_them", async () => {
  const { setup } = await open("600000000000:8K 600000001000:8K");
  await expect(engine.call("configure", setup)).rejects.toThrow(
    "8K is no page size of this machine",
  );
  expect((await runOf({ ...setup, os: plain })).walks).toBe(2);
});

test("the_mapping_stays_when_a_trace_without_sizes_opens", async () => {
  const { setup } = await open(TWO_PAGES);
  await engine.call("configure", setup);
  const file = new Blob(["address\n0x1000\n0x2000\n"]);
  await engine.start("import", { file, name: "list.csv" });
  expect((await engine.start("run", {})).walks.walks).toBe(2);
});

test("the_advice_and_the_curves_begin_with_the_recorded_pages", async () => {
  const { setup } = await open(TWO_PAGES);
  const { machine, os } = setup;
  const advice = await engine.start("analyse", {
    what: "huge-pages",
    machine,
    pages: "4K",
    huge: "2M",
    most: 4,
    os,
  });
  // The numbers of `the_advice_begins_with_the_pages_of_the_recording`.
  expect(advice.points[0]?.walks).toBe(2);
  expect(advice.rows.map(({ start }) => start)).toEqual(["0x400000"]);
  const cold = async (recorded: boolean) => {
    const uses = { pages: "4K", kinds: ["load" as const], recorded };
    return (await engine.start("analyse", { what: "curve", uses })).cold;
  };
  expect([await cold(true), await cold(false)]).toEqual([2, 5]);
});

test("rows_of_a_sweep_have_the_recorded_pages_unless_they_choose_others", async () => {
  const { setup } = await open(TWO_PAGES);
  const spec = JSON.stringify({
    traces: [{ file: "two.txt" }],
    base: { cpu: "intel-skylake", os: setup.os },
    axes: [{ field: "pages", values: [null, "4K"] }],
  });
  const walks = async (row: number) => {
    const line = await engine.start("runRow", { spec, row, hash: "" });
    return (JSON.parse(line) as { report: { walks: { walks: number } } }).report
      .walks.walks;
  };
  expect([await walks(0), await walks(1)]).toEqual([2, 5]);
});

const SMAPS = `
600000000000-600000400000 rw-p 00000000 00:00 0                          [heap]
KernelPageSize:        4 kB
AnonHugePages:      4096 kB
00400000-00401000 r-xp 00001000 fe:00 247278                     /tmp/prog
KernelPageSize:        4 kB
AnonHugePages:         0 kB
`;

test("a_copy_of_smaps_names_memory_and_gives_its_page_sizes", async () => {
  const { machine, os } = await setupOf("intel-skylake");
  const loads = "address\n0x600000000000\n0x600000001000\n0x600000201000\n";
  const file = new Blob([loads]);
  const before = await engine.start("import", { file, name: "list.csv" });
  expect(before).not.toHaveProperty("recorded");
  const map = new Blob([SMAPS]);
  const peek = await engine.call("peek", { file: map, request: { name: "m" } });
  expect(peek.problem?.code).toBe("memory-map");
  const after = await engine.call("describe", { file: map, name: "list.csv" });
  expect(after.regions.map(({ name }) => name)).toEqual(["heap", "heap"]);
  expect(after.recorded).toMatchObject({ n_ranges: 1 });
  const run = await runOf({ machine, os });
  expect(run).toMatchObject({ walks: 2, pages: { "2M": 2, "4K": 0 } });
  // A saved trace keeps what the file said.
  const saved = await engine.start("save", {});
  await engine.start("import", { file: saved.file, name: "again" });
  expect(await runOf({ machine, os })).toEqual(run);
});

test("a_bad_line_of_a_memory_map_is_one_error_and_changes_nothing", async () => {
  const file = new Blob(["address\n0x600000000000\n"]);
  await engine.start("import", { file, name: "list.csv" });
  const map = new Blob([`${SMAPS}what\n`]);
  await expect(
    engine.call("describe", { file: map, name: "list.csv" }),
  ).rejects.toMatchObject({
    code: "bad-trace",
    message:
      "this is no line of /proc/PID/maps or smaps: give a copy of such a file",
    at: { line: 8 },
  });
  expect((await engine.start("run", {})).walks.walks).toBe(1);
});

test("an_access_of_a_loop_has_its_line", async () => {
  const head = JSON.stringify({
    arrays: [{ name: "a", start: "0x10000000", end: "0x10001000" }],
    lines: [3, 4, 9],
  });
  const text = new TextEncoder().encode(head);
  const size = new Uint32Array([text.length]);
  const record = new Uint32Array([0x10000000, 8 << 16, 4]);
  const file = new Blob(["PWLOOP1\n", size, text, record]);
  const trace = await engine.start("import", { file, name: "loop" });
  expect(trace.has_lines).toBe(true);
  const ip = "0x404000";
  expect(await engine.call("sourceAt", { ip, most: 1 })).toEqual({
    function: "",
    file: "",
    line: 4,
    lines: [3, 4, 9].map((line) => ({ line, text: "" })),
  });
  expect(await engine.call("sourceAt", { ip: "0x1", most: 1 })).toBeNull();
});

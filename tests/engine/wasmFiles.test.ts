/** Tests of files in the real modules: imported, previewed, saved and exported. */
import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { warningText } from "../../src/model/import/formats";
import {
  BUILT_IN_TRACES,
  SAMPLES_EXAMPLE,
} from "../../src/state/import/traces";
import { engine, lackey, newEngine, packed, pages, start } from "./tinyEngine";

test("a_saved_trace_is_the_same_trace_again", async () => {
  const { trace, report } = await start(
    new Blob(["kind,address,size\nload,0x1000,8\nmov-cr3,,\nstore,0x5000,4\n"]),
  );
  const { file, hash } = await engine.start("save", {});
  expect(await engine.start("import", { file, name: trace.name })).toEqual(
    trace,
  );
  expect(await engine.start("run", {})).toEqual(report);
  // The hash depends on the contents only, not on the name or the file.
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect((await engine.start("save", {})).hash).toBe(hash);
  await engine.start("import", { file: pages(1), name: "other" });
  expect((await engine.start("save", {})).hash).not.toBe(hash);
  const cut = file.slice(0, file.size - 1);
  await expect(
    engine.start("import", { file: cut, name: "cut" }),
  ).rejects.toMatchObject({
    code: "bad-trace",
  });
});

/** The recordings that the shipped traces were made from. */
const RECORDINGS: Readonly<Record<string, string>> = {
  chase: "chase.lackey.xz",
  matmul24: "matmul24.full.txt.xz",
  shootdown: "shootdown.csv",
  first: "first.csv",
  csapp: "csapp.csv",
  ostep: "ostep.csv",
  belady: "belady.csv",
  "sort-profile": "perf/data/cpuclock-sort.perf.data.gz",
};

/** The smallest number of accesses of each trace. The first two are recordings, the others were written. */
const LEAST: Readonly<Record<string, number>> = {
  chase: 100_000,
  first: 3,
  matmul24: 100_000,
  shootdown: 100,
  csapp: 9,
  ostep: 19,
  belady: 11,
};

test("the_shipped_profile_is_what_an_import_of_its_recording_saves", async () => {
  newEngine();
  const { id, file } = SAMPLES_EXAMPLE;
  const imported = await engine.start("import", {
    file: await openAsBlob(`tests/fixtures/traces/${RECORDINGS[id] ?? ""}`),
    name: id,
  });
  expect(imported.samples).toBe(1550);
  const saved = await (await engine.start("save", {})).file.arrayBuffer();
  const shipped = gunzipSync(await readFile(`public/traces/${file}`));
  expect(shipped.equals(Buffer.from(saved))).toBe(true);
});

test("the_shipped_traces_are_what_an_import_of_their_recordings_saves", async () => {
  newEngine();
  for (const { id, file, title } of BUILT_IN_TRACES) {
    const recording = `tests/fixtures/traces/${RECORDINGS[id] ?? ""}`;
    const imported = await engine.start("import", {
      file: await openAsBlob(recording),
      name: id,
    });
    expect(imported.n_accesses, title).toBeGreaterThan(LEAST[id] ?? Infinity);
    expect(imported.import.warnings, title).toEqual([]);
    const saved = Buffer.from(
      await (await engine.start("save", {})).file.arrayBuffer(),
    );
    const shipped = gunzipSync(await readFile(`public/traces/${file}`));
    const remedy = `${title}: pagewalk convert ${recording} --to pagewalk --out ${id}.pagewalk && gzip -9n ${id}.pagewalk`;
    expect(shipped.equals(saved), remedy).toBe(true);
    expect(
      await engine.call("open", { file: await packed(file), name: id }),
    ).toEqual(imported);
  }
});

const unreadable: readonly [fact: string, file: Blob][] = [
  ["an_empty_file", new Blob([])],
  ["a_binary_file", new Blob([new Uint8Array(4096).map((_, i) => i * 7)])],
  ["prose", lackey("This is no trace.", "It is only text.")],
];

test.each(unreadable)(
  "%s_is_refused_and_the_trace_of_before_stays",
  async (_, file) => {
    await start(pages(1, 2, 3));
    const error: unknown = await engine
      .start("import", { file, name: "bad" })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "EngineError" });
    expect((error as Error).message.length).toBeGreaterThan(10);
    expect((await engine.call("seek", { index: 2 })).step.index).toBe(2);
  },
);

test("a_truncated_xz_is_told_and_the_trace_of_before_stays", async () => {
  await start(pages(1, 2, 3));
  const whole = await readFile("tests/fixtures/traces/chase.lackey.xz");
  const cut = new Blob([whole.subarray(0, whole.length / 2)]);
  const result = await engine
    .start("import", { file: cut, name: "cut.xz" })
    .then((trace) => trace.import.warnings.map(warningText).join(" "))
    .catch((error: unknown) => String(error));
  expect(result).toMatch(/cut|end|truncat|incomplete|broken/i);
});

test("a_line_with_an_address_over_64_bits_is_left_out_and_counted", async () => {
  newEngine();
  const file = lackey(" L 1000,8", " L 123456789abcdef012,8", " L 2000,8");
  const trace = await engine.start("import", { file, name: "long.lackey" });
  expect(trace.n_accesses).toBe(2);
  expect(trace.import.skipped).toMatchObject([{ count: 1 }]);
});

test("a_limit_ends_the_import_early_and_is_told", async () => {
  newEngine();
  const trace = await engine.start("import", {
    file: pages(1, 2, 3, 4),
    name: "p",
    ...{ limit: 2 },
  });
  expect(trace.n_accesses).toBe(2);
  expect(trace.import.warnings.map(warningText).join(" ")).toMatch(/2/);
});

test("a_look_at_a_list_says_what_it_guesses_and_follows_what_it_is_told", async () => {
  newEngine();
  const list = new Blob(["8 4096\n8 8192\n"]);
  const guessed = await engine.call("peek", {
    file: list,
    request: { name: "a.txt" },
  });
  expect(guessed).toMatchObject({
    is_whole: true,
    report: { format: "csv", accesses: 2 },
    list: { base: "decimal", base_is_guessed: true },
  });
  expect(guessed.records.map(({ address }) => address)).toEqual([
    "0x1000",
    "0x2000",
  ]);
  const found = await engine.call("peek", {
    file: list,
    request: {
      name: "a.txt",
      ...{
        list: { base: "hex", kind: "store", columns: [null, "address"] },
      },
    },
  });
  expect(found.records[0]).toMatchObject({ address: "0x4096", kind: "store" });
  const unknown = await engine.call("peek", {
    file: new Blob(["\0\x01"]),
    request: { name: "b" },
  });
  expect(unknown.problem?.code).toBe("unsupported");
});

test("an_export_gives_the_same_trace_again_and_says_what_is_lost", async () => {
  const { trace } = await start(
    new Blob(["kind,address,tid\nload,0x1000,1\nstore,0x2000,2\n"]),
  );
  const csv = await engine.start("export", { format: "csv" });
  expect(csv.lost).toEqual([]);
  const din = await engine.start("export", { format: "din" });
  expect(await din.file.text()).toBe("0 1000\n1 2000\n");
  expect(din.lost).toEqual([{ what: "threads and processes", count: 2 }]);
  const reopened = await engine.start("import", {
    file: csv.file,
    name: trace.name,
  });
  expect(reopened.threads).toBe(2);
  expect({ ...reopened, import: null }).toEqual({ ...trace, import: null });
  const { hash } = await engine.start("save", {});
  await engine.start("import", { file: din.file, name: "din" });
  expect((await engine.start("save", {})).hash).not.toBe(hash);
});

test("part_of_a_file_is_imported_as_it_was_chosen", async () => {
  newEngine();
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  const view = await engine.start("import", {
    file: pages(...numbers),
    name: "p",
    ...{
      select: {
        from: { access: 10 },
        to: { access: 50 },
        every: { keep: 1, of: 4 },
      },
      limit: 5,
    },
  });
  expect(view.n_accesses).toBe(5);
  expect(view.import).toMatchObject({
    selection: { from: { access: 10 } },
    // Ten accesses before the window, and three of each four in it, are left out.
    left_out: 25,
  });
});

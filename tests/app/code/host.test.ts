import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { heapNames } from "../../../src/model/code/heapNames";
import { usedLines } from "../../../src/app/code/programFile";
import { countLines, runProgram } from "./runProgram";

const PROGRAMS = "sim-core/instrument/tests/programs";
const structures = readFileSync(`${PROGRAMS}/structures.wasm`);
const source = readFileSync(`${PROGRAMS}/structures.c`, "utf8").split("\n");

test("a program prints, ends, and reports each access with its line", async () => {
  const ran = await runProgram(structures);
  expect(ran.output).toBe("1 46\n");
  expect(ran.end).toEqual({ done: { status: 0 } });
  const counts = countLines(ran);
  expect(counts.get("23 store")).toBe(512);
  expect(counts.get("14 malloc")).toBe(10);
  expect(counts.get("36 load")).toBe(10);
});

test("blocks of the heap are named by the variable and the line", async () => {
  const { about } = await runProgram(structures);
  const names = new Set(heapNames(about, source).map(([, name]) => name));
  expect(names).toContain("made (malloc, line 14)");
  expect(names).toContain("table (calloc, line 29)");
});

test("lines with an access go along with their texts", async () => {
  const { about } = await runProgram(structures);
  const texts = usedLines(about, source);
  const own = about.files.findIndex((file) => file.endsWith("structures.c"));
  expect(own).toBeGreaterThanOrEqual(0);
  expect(texts).toContainEqual([own, 14, source[13]?.trim()]);
  expect(texts.every(([file]) => file === own)).toBe(true);
});

test.each([
  ["accesses", { words: 100 }],
  ["time", { seconds: 0 }],
])("a program is stopped at its limit: %s", async (stopped, limits) => {
  const { end, output, chunks } = await runProgram(structures, limits);
  expect(end).toEqual({ stopped });
  expect(chunks.length).toBeGreaterThan(0);
  expect(output).toBe("");
});

test("a program with other imports is refused", async () => {
  const wasm = Uint8Array.from([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0,
  ]);
  const { end } = await runProgram(wasm);
  expect(end).toMatchObject({
    failed: {
      message: "the program imports a.b, and only WASI preview 1 is there",
    },
  });
});

/** Runs a program as it is. */
function status(bytes: Uint8Array<ArrayBuffer>): number | undefined {
  let status: number | undefined;
  const proc_exit = (code: number) => {
    status = code;
    throw new Error("exit");
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    wasi_snapshot_preview1: { proc_exit },
  });
  expect(exports["_start"]).toThrow("exit");
  return status;
}

test("what browsers run beyond loads and stores reports, too", async () => {
  const features = readFileSync(`${PROGRAMS}/features.wasm`);
  const ran = await runProgram(features);
  expect(ran.end).toEqual({ done: { status: status(features) } });
  expect(Object.fromEntries(countLines(ran))).toEqual({
    "0 load": 14,
    "0 store": 9,
    "0 modify": 3,
    "0 copy": 1,
    "0 fill": 1,
    "0 init": 1,
    "0 grow": 2,
  });
});

test("a trap names its function, and keeps the accesses before it", async () => {
  // A store, a branch, and then `unreachable`.
  const { end, chunks, place } = await runProgram(
    Uint8Array.from([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1,
      7, 10, 1, 6, 95, 115, 116, 97, 114, 116, 0, 0, 10, 12, 1, 10, 0, 65, 8,
      65, 1, 54, 2, 0, 0, 11,
    ]),
  );
  expect(new Uint32Array(chunks[0] ?? new ArrayBuffer(0))).toEqual(
    Uint32Array.of(0, 8),
  );
  expect(end.failed?.message).toBe("unreachable");
  expect(place).toEqual({ function: "_start", at: 10 });
});

/** A program that calls exit in a block which catches everything, and then traps: `try { exit(3); } catch (...) { trap }`. */
const CATCHES = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 2, 96, 1, 127, 0, 96, 0, 0, 2, 36, 1, 22,
  119, 97, 115, 105, 95, 115, 110, 97, 112, 115, 104, 111, 116, 95, 112, 114,
  101, 118, 105, 101, 119, 49, 9, 112, 114, 111, 99, 95, 101, 120, 105, 116, 0,
  0, 3, 2, 1, 1, 5, 3, 1, 0, 1, 7, 10, 1, 6, 95, 115, 116, 97, 114, 116, 0, 1,
  10, 20, 1, 18, 0, 65, 8, 65, 1, 54, 2, 0, 6, 64, 65, 3, 16, 0, 25, 0, 11, 11,
];

test("a program cannot catch its own exit", async () => {
  const { end } = await runProgram(Uint8Array.from(CATCHES));
  expect(end).toEqual({ done: { status: 3 } });
});

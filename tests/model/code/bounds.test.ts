/** Accesses that leave the variable which their line names. */
import { expect, test } from "vitest";
import type { ProgramAbout } from "../../../src/model/code/about";
import { boundsOf } from "../../../src/model/code/bounds";

const LINES = [
  "int a[4], b[4];",
  "for (int i = 0; i <= 4; i++) a[i] = i;",
  "for (int i = 4; i >= 0; i--) a[i - 1] = b[i];",
  "int *p = k ? a : b; s += p[i] + (k ? a : b)[i];",
  "n++;",
];

/** Lines 2 to 5: a store, a load and a store, a load, and one of a single variable. */
const about: ProgramAbout = {
  memory: {
    stack: ["0x0", "0x400"],
    data: "0x440",
    heap: "0x440",
    size: "0x10000",
    code: "0x100",
  },
  functions: [],
  globals: [
    { name: "a", start: "0x400", end: "0x410", type: "int[4]" },
    { name: "b", start: "0x410", end: "0x420", type: "int[4]" },
    { name: "n", start: "0x420", end: "0x424", type: "int" },
  ],
  sites: [
    ["store", 4, 0x400, 10],
    ["load", 4, 0x410, 20],
    ["store", 4, 0x3fc, 21],
    ["load", 4, 0, 30],
    ["load", 4, 0, 40],
  ],
  blocks: [0, 1, 3, 4, 5],
  places: [
    [0, 2, 0],
    [0, 3, 0],
    [0, 3, 0],
    [0, 4, 0],
    [0, 5, 0],
  ],
  files: ["main.c"],
  names: ["main"],
  hasLines: true,
};

function notesOf(...records: readonly number[]): readonly string[] {
  const bounds = boundsOf(about, LINES);
  bounds.take(Uint32Array.from(records));
  return bounds.notes();
}

test("an index that runs over the end of an array is told once", () => {
  expect(notesOf(0, 0, 0, 4, 0, 8, 0, 12)).toEqual([]);
  expect(notesOf(0, 0, 0, 4, 0, 8, 0, 12, 0, 16, 0, 20)).toEqual([
    "Line 2 stores 4 bytes outside of a[4]: right after the end, in b[4]. Does an index leave the array?",
  ]);
});

test("an index below 0, and one of two arrays of a line", () => {
  expect(notesOf(1, 12, 16, 1, 8, 12, 1, 4, 8, 1, 0, 4)).toEqual([]);
  expect(notesOf(1, 12, 16, 1, 8, 12, 1, 4, 8, 1, 0, 4, 1, 0, 0)).toEqual([
    "Line 3 stores 4 bytes outside of a[4]: 4 bytes before the start. Does an index leave the array?",
  ]);
});

test("a pointer that changes between arrays is no mistake, nor is a variable of one element", () => {
  expect(notesOf(2, 0x400, 2, 0x41c, 2, 0x400, 2, 0x410)).toEqual([]);
  expect(notesOf(3, 0x420, 3, 0x424)).toEqual([]);
});

test("records end in the middle of nothing", () => {
  expect(notesOf()).toEqual([]);
  expect(notesOf(9, 9)).toEqual([]);
});

test("only the first accesses of a long program are read", () => {
  const inside = new Uint32Array(1 << 22);
  const bounds = boundsOf(about, LINES);
  bounds.take(inside);
  bounds.take(Uint32Array.from([0, 8, 0, 12, 0, 16]));
  expect(bounds.notes()).toEqual([]);
});

/** What a printed sheet says in place of the pictures. */
import { expect, test } from "vitest";
import type { Ask } from "../../../src/engine/generated/Ask";
import {
  fitsPaper,
  pageFacts,
  setFacts,
} from "../../../src/model/exercise/paper";
import type { Picture } from "../../../src/model/learn/picture";

const view = (name: string, role: string, serves = ["load"]) => ({
  name,
  role,
  serves,
  pages: ["4K"],
  sets: 2,
  ways: 2,
  index: "low-bits",
  replacement: "lru",
  inside: null,
});

const content = {
  keys: BigUint64Array.of(0n, 0n, 0x13n, 0n),
  keyShift: Uint8Array.of(0, 0, 12, 0),
  table: new Uint8Array(4),
  filledAt: Uint32Array.of(0, 0, 3, 0),
  usedAt: Uint32Array.of(0, 0, 5, 0),
  hits: new Uint32Array(4),
  next: new Uint16Array(2),
};

const picture = {
  machine: {
    offset_bits: 12,
    structures: [
      view("dTLB", "l1"),
      view("iTLB", "l1", ["fetch"]),
      view("STLB", "l2"),
      view("PDE cache", "psc"),
      { ...view("PLRU", "other"), replacement: "tree-plru" },
    ],
  },
  columns: [content, content, content, content],
  done: { access: { kind: "load", address: "0x11123" }, translations: [] },
  // The code under test uses only these fields.
} as unknown as Picture;

test.each<[string | undefined, readonly string[]]>([
  [
    undefined,
    [
      "dTLB, set 1: way 0: 0x13, filled at 3, used at 5; empty ways: 1.",
      "STLB, set 1: way 0: 0x13, filled at 3, used at 5; empty ways: 1.",
    ],
  ],
  [
    "STLB",
    ["STLB, set 1: way 0: 0x13, filled at 3, used at 5; empty ways: 1."],
  ],
])("the_sets_of_%s_are_listed", (array, expected) => {
  expect(setFacts(picture, array)).toEqual(expected);
});

test("the_mapped_pages_are_one_sentence", () => {
  expect(pageFacts([], 0)).toBe("No page is mapped yet.");
  const pages = [
    { page: 1n, count: 1, size: "4K" },
    { page: 8n, count: 4, size: "4K" },
  ];
  expect(pageFacts(pages, 3)).toBe(
    "Mapped pages: 0x1, 0x8 to 0xb, and 3 further away.",
  );
});

test.each<[Ask, number, boolean]>([
  [{ kind: "outcome" }, 900, true],
  [{ kind: "references" }, 2, false],
  [{ kind: "victim", of: "dTLB" }, 2, true],
  [{ kind: "victim", of: "PLRU" }, 2, false],
  [{ kind: "number", of: "walks" }, 63, true],
  [{ kind: "number", of: "walks" }, 64, false],
])("the_question_%j_at_%s_fits_paper_%s", (ask, at, fits) => {
  expect(fitsPaper(ask, at, picture.machine)).toBe(fits);
});

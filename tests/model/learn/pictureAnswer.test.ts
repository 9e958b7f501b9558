import { expect, test } from "vitest";
import type { Ask } from "../../../src/engine/generated/Ask";
import type { Form } from "../../../src/engine/generated/Form";
import { answerSentence } from "../../../src/model/learn/answerWords";
import type { Picture } from "../../../src/model/learn/picture";
import {
  answerAt,
  answerInAddress,
  askedArray,
  spotOf,
} from "../../../src/model/learn/pictureAnswer";
import type { AskedArray, Spot } from "../../../src/model/learn/pictureAnswer";
import { messages } from "../../../src/model/texts/messages";
import { learn } from "../../../src/texts/en/learn";
import type { ArrayColumns } from "../../../src/model/tlb/array";

const say = messages("en", learn);

/** 2 sets of 2 ways: pages 0x10 and 0x12 in set 0, and 0x11 in way 1 of set 1. */
const content: ArrayColumns = {
  keys: BigUint64Array.of(0x10n, 0x12n, 0n, 0x11n),
  keyShift: Uint8Array.of(12, 12, 0, 12),
  table: new Uint8Array(4),
  filledAt: Uint32Array.of(1, 2, 0, 3),
  usedAt: Uint32Array.of(5, 2, 0, 3),
  hits: Uint32Array.of(1, 0, 0, 0),
  next: Uint16Array.of(1, 0),
};

// Only the fields that an answer reads.
const picture = {
  machine: {
    structures: [
      { name: "TLB", role: "l1", sets: 2, ways: 2, index: "low-bits" },
    ],
  },
  columns: [content],
  structure: 0,
  done: {
    translations: [
      {
        address: "0x13abc",
        page_number: "0x13",
        page_shift: 12,
        levels: [
          { level: 2, index: 1 },
          { level: 1, index: 3 },
        ],
      },
    ],
  },
} as unknown as Picture;

function posed(ask: Ask, form: Form = "decimal", choices: string[] = []) {
  return {
    ask,
    at: 7,
    address: "0x13abc",
    access: "load",
    form,
    choices,
  } as const;
}

function array(kind: "set" | "way" | "victim"): AskedArray {
  const asked = askedArray(posed({ kind, of: "TLB" }), picture);
  if (!asked) throw new Error(`no array for ${kind}`);
  return asked;
}

test.each<["set" | "way" | "victim", Spot, string | undefined]>([
  ["set", { set: 1, way: 0 }, "1"],
  ["set", { set: 1, way: null }, "1"],
  ["way", { set: 1, way: 0 }, "0"],
  ["way", { set: 1, way: null }, undefined],
  ["victim", { set: 0, way: 1 }, "0x12"],
  ["victim", { set: 1, way: 0 }, "none"],
])("a_press_for_a_%s_at_%o_answers_%s", (kind, spot, answer) => {
  expect(answerAt(array(kind), spot)).toBe(answer);
});

test.each<["set" | "way" | "victim", string, Spot | null]>([
  ["set", "1", { set: 1, way: null }],
  ["set", " 0x1", { set: 1, way: null }],
  ["set", "2", null],
  ["set", "one", null],
  ["set", "", null],
  // The set of the access is known: that of page 0x13.
  ["way", "0", { set: 1, way: 0 }],
  ["way", "2", null],
  ["victim", "0x12", { set: 0, way: 1 }],
  ["victim", "12", { set: 0, way: 1 }],
  ["victim", "none", null],
  ["victim", "0x99", null],
])("a_%s_typed_as_%s_stands_at_%o", (kind, given, spot) => {
  expect(spotOf(array(kind), given)).toEqual(spot);
});

test.each<[string, string[], string[], string | undefined]>([
  ["page-number", ["page-number", "index-1"], ["0x3", "0x13"], "0x13"],
  ["offset", ["page-number", "index-1"], ["0xabc", "0x13"], "0x13"],
  ["offset", ["offset"], ["0xabc", "0x13"], "0xabc"],
  ["index-2", ["page-number", "index-2"], ["1", "19"], "1"],
  ["set:TLB", ["set-bits"], ["1", "9"], "1"],
  ["tag:TLB", ["tag"], ["0x9", "0x13"], "0x9"],
  // No choice has this value.
  ["tag:TLB", ["offset"], ["0x9", "0x13"], undefined],
  ["tag:TLB", [], ["0x9", "0x13"], undefined],
])(
  "for_%s_a_press_on_%o_with_%o_answers_%s",
  (of, objects, choices, answer) => {
    const ask: Ask = { kind: "field", of };
    const given = posed(ask, "choice", choices) as never;
    expect(answerInAddress(given, picture, objects)).toBe(answer);
    // A typed answer has to be read from the bits.
    expect(answerInAddress(posed(ask) as never, picture, objects)).toBe(
      undefined,
    );
  },
);

test.each<["set" | "way" | "victim", string, string]>([
  [
    "set",
    "0",
    "All 2 ways of set 0 are taken. If you are right and the page is not among them, one must leave.",
  ],
  ["set", "1", "1 of 2 ways of set 1 is taken."],
  ["set", "7", "The TLB has sets 0 to 1."],
  ["way", "0", "Way 0 is empty. Run it, and see."],
  ["way", "7", "A set of the TLB has ways 0 to 1."],
  [
    "victim",
    "0x10",
    "Way 0 holds page 0x10, last use from access 5 on. Run it, and see.",
  ],
  ["victim", "none", "You expect an empty way: no entry leaves."],
  ["victim", "0x99", "No entry of the picture has this page."],
])("the_picture_says_of_%s_%s_%s", (kind, given, sentence) => {
  expect(answerSentence(array(kind), given, say)).toBe(sentence);
});

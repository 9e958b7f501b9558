/** The words of the walk picture and of each bit of an entry. */
import { expect, test } from "vitest";
import { bitText, bitWords } from "../../../src/model/walk/bitWords";
import {
  bitsOfTwin,
  entryChange,
  entryFields,
} from "../../../src/model/walk/entry";
import { walkMeanings } from "../../../src/model/walk/glossary";
import { blackboard, fiveLevel, pdeHit } from "../../pictures/accesses";

const [translation] = pdeHit.step.translations;
const leaf = translation?.levels.at(-1);
const fields = entryFields(leaf ?? { fields: [] });

test("every_bit_says_what_it_means_and_what_it_is", () => {
  const told = fields.map((field) => bitText(bitWords(field)));
  expect(told).toMatchInlineSnapshot(`
    [
      "XD, bit 63: execute disable: instructions are not fetched from here. Now 1: instructions may not be fetched.",
      "key, bits 62:59: protection key. Now 0.",
      "free, bits 58:52: free for the OS. Now 0.",
      "frame, bits 51:12: number of the page in physical memory. Now 0x1388b: it starts at 0x1388b000.",
      "free, bits 11:9: free for the OS. Now 0.",
      "G, bit 8: global: survives a change of address space. Now 0: it belongs to one address space.",
      "PAT, bit 7: memory type. Now 0: the usual memory types.",
      "D, bit 6: dirty: the page was written. Now 1: the page was written.",
      "A, bit 5: accessed: the page was used. Now 1: a walk has used it.",
      "PCD, bit 4: page-level cache disable. Now 0: memory is cached.",
      "PWT, bit 3: page-level write-through. Now 0: caches may delay writes.",
      "U, bit 2: user code may use it. Now 1: programs may use it.",
      "W, bit 1: may be written. Now 1: stores are allowed.",
      "P, bit 0: present. Now 1: the entry is in use.",
    ]
  `);
});

test("a_bit_that_the_access_changed_says_so", () => {
  const was = `0x${(BigInt(leaf?.value ?? "0x0") & ~0x20n).toString(16)}`;
  const byAccess = entryChange({ was }, null);
  const bySoftware = entryChange({}, { was });
  const changed = (change: typeof byAccess) =>
    fields.flatMap((field) => bitWords(field, change).changed || []);
  expect(changed(byAccess)).toEqual(["This access changed it from 0."]);
  expect(changed(bySoftware)).toEqual(["Software changed it from 0."]);
  expect(changed(entryChange({}, undefined))).toEqual([]);
});

test("a_name_that_occurs_twice_says_its_bits", () => {
  const told = fields
    .map((field) => ({ name: field.name, bits: bitsOfTwin(field, fields) }))
    .filter(({ bits }) => bits !== "");
  expect(told).toEqual([
    { name: "free", bits: "58:52" },
    { name: "free", bits: "11:9" },
  ]);
});

test.each([
  ["pdeHit", pdeHit],
  ["fiveLevel", fiveLevel],
  ["blackboard", blackboard],
])("the_words_of_%s", async (name, { step, machine }) => {
  const levels = step.translations[0]?.levels ?? [];
  const lines = walkMeanings(levels, machine).map(
    ({ word, meaning }) => `${word}: ${meaning}`,
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
    `snapshots/words-${name}.txt`,
  );
});

/** While a question waits, the cut of an address does not tell that its walk ends with a fault. */
import { expect, test } from "vitest";
import type { TranslationView } from "../../../src/engine/generated/TranslationView";
import type { Ask } from "../../../src/engine/generated/Ask";
import { pictureOf } from "../../../src/model/learn/picture";
import { wholeAddress } from "../../../src/model/learn/wholeAddress";
import { bitFields } from "../../../src/model/replay/bits";
import {
  DEFAULT_MACHINE,
  DEFAULT_OS,
} from "../../../src/engine/generated/defaults";
import { machineView, snapshot } from "../../state/fakeData";

const plain = machineView({ machine: DEFAULT_MACHINE, os: DEFAULT_OS });
const machine = {
  ...plain,
  tables: "x86" as const,
  levels: 4,
  offset_bits: 12,
};

const ADDRESS = "0x7f1234567abc";

/** The levels of a walk whose last entry, of level `end`, leads nowhere. */
const walkTo = (end: number) =>
  ({
    address: ADDRESS,
    page_shift: 12 + 9 * (end - 1),
    page_number: ADDRESS,
    tlb: [],
    psc: [],
    fills: [],
    left: [],
    levels: [4, 3, 2, 1]
      .filter((level) => level >= end)
      .map((level) => ({
        level,
        table_name: ["PT", "PD", "PDPT", "PML4"][level - 1],
        shift: 12 + 9 * (level - 1),
        bits: 9,
        leaf: false,
        state: "read",
      })),
    // The code under test uses only these fields.
  }) as unknown as TranslationView;

test.each([1, 2, 3, 4])(
  "a_walk_that_ends_at_level_%s_has_all_fields",
  (end) => {
    const whole = wholeAddress(walkTo(end), machine);
    expect(
      bitFields(whole, true).map(
        ({ name, high, low }) => `${name} ${high}:${low}`,
      ),
    ).toEqual([
      "PML4 47:39",
      "PDPT 38:30",
      "PD 29:21",
      "PT 20:12",
      "offset 11:0",
    ]);
    expect(whole.page_number).toBe("0x7f1234567");
  },
);

test("the_picture_is_whole_only_while_it_asks", () => {
  const { step, columns } = snapshot(6);
  const scene = {
    machine,
    columns,
    step: { ...step, translations: [walkTo(2)] },
  };
  const ask: Ask = { kind: "outcome" };
  const shown = {
    at: 6,
    before: true,
    show: ["address"],
    ask: { ask },
  } as const;
  const levels = (answered: boolean) =>
    pictureOf(scene, shown, answered).done.translations[0]?.levels.length;
  expect(levels(false)).toBe(4);
  expect(levels(true)).toBe(3);
});

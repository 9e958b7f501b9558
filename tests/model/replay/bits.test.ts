import { describe, expect, test } from "vitest";
import {
  bitFields,
  brackets,
  listOf,
  offsetText,
} from "../../../src/model/replay/bits";
import { bitLayout } from "../../../src/model/replay/bitsLayout";
import * as accesses from "../../pictures/accesses";
import type { Scene } from "../../pictures/accesses";

function first({ step }: Scene) {
  const [translation] = step.translations;
  if (!translation) throw new Error("a scene has a translation");
  return translation;
}

const shown = (scene: Scene) =>
  bitFields(first(scene))
    .map(({ name, value, bits }) => `${name} ${value} ${bits}`)
    .join("\n");

const under = (scene: Scene) =>
  brackets(first(scene), scene.machine).map(
    ({ high, low, labels, notes }) =>
      `${high}:${low} ${labels[0] ?? ""}${notes[0] ? ` | ${notes[0]}` : ""}`,
  );

describe("fields", () => {
  test("nine_bits_for_each_table_and_twelve_for_the_offset", () => {
    expect(shown(accesses.pdeHit)).toBe(
      "PML4 254 011111110\nPDPT 232 011101000\nPD 225 011100001\nPT 181 010110101\noffset 0xe48 111001001000",
    );
  });
  test("a_2m_page_has_an_offset_of_21_bits", () => {
    expect(bitFields(first(accesses.bigPage)).at(-1)).toMatchObject({
      high: 20,
      low: 0,
      value: "0x0b5e48",
    });
  });
  test("five_levels_have_five_indices", () => {
    expect(
      bitFields(first(accesses.fiveLevel)).map(({ high }) => high),
    ).toEqual([56, 47, 38, 29, 20, 11]);
  });
  test("a_teaching_machine_has_its_own_geometry", () => {
    expect(shown(accesses.blackboard)).toBe(
      "VPN 15 = 0xf 00001111\nVPO 0x14 010100",
    );
  });
  test("fields_cover_every_bit_once", () => {
    for (const scene of [
      accesses.pdeHit,
      accesses.bigPage,
      accesses.fiveLevel,
      accesses.blackboard,
    ]) {
      let next = scene.machine.va_bits - 1;
      for (const { high, low, bits } of bitFields(first(scene))) {
        expect([high, bits.length]).toEqual([next, high - low + 1]);
        next = low - 1;
      }
      expect(next).toBe(-1);
    }
  });
  test("the_offset_keeps_the_digits_of_its_page", () => {
    expect(offsetText("0x7f3a1c2b5003", 12)).toBe("0x003");
    expect(offsetText("0x3d4", 6)).toBe("0x14");
  });
});

describe("brackets", () => {
  test.each([
    [
      accesses.pdeHit,
      [
        "47:21 PDE cache key, 27 bits | hit, skips 3",
        "20:12 read from PT",
        "11:0 offset is kept",
      ],
    ],
    [
      accesses.pdpteHit,
      [
        "47:30 PDPTE cache key, 18 bits | hit, skips 2",
        "29:12 read from PD and PT",
        "11:0 offset is kept",
      ],
    ],
    [
      accesses.coldFault,
      ["47:12 read from PML4, PDPT, PD and PT", "11:0 offset is kept"],
    ],
    [
      accesses.l1Hit,
      [
        "47:12 L1 dTLB 4K key, 36 bits | hit, set 5 = low 4 bits",
        "11:0 offset is kept",
      ],
    ],
    [
      accesses.l2Hit,
      [
        "47:12 STLB key, 36 bits | hit, set 48 = low 7 xor next 7",
        "11:0 offset is kept",
      ],
    ],
    [
      accesses.zenWalk,
      [
        "47:21 PDE in L2 dTLB key, 27 bits | hit, skips 3",
        "20:12 read from PT",
        "11:0 offset is kept",
      ],
    ],
    [
      accesses.bigPage,
      [
        "47:39 PML4E cache key, 9 bits | hit, skips 1",
        "38:21 read from PDPT and PD",
        "20:0 offset is kept",
      ],
    ],
    [
      accesses.blackboard,
      ["13:8 TLBT 0x3", "7:6 TLBI 0x3", "5:0 offset is kept"],
    ],
  ])("say_whose_key_the_bits_are", (scene, texts) =>
    expect(under(scene)).toEqual(texts),
  );

  test("mark_the_bits_that_choose_the_set", () => {
    expect(
      brackets(first(accesses.l1Hit), accesses.l1Hit.machine)[0]?.marks,
    ).toEqual([{ low: 12, high: 15 }]);
    expect(
      brackets(first(accesses.l2Hit), accesses.l2Hit.machine)[0]?.marks,
    ).toEqual([
      { low: 12, high: 18 },
      { low: 19, high: 25 },
    ]);
  });
});

test.each<[name: string, scene: Scene, tips: string[]]>([
  [
    "one_table",
    accesses.blackboard,
    [
      "virtual page number (VPN): the index of the L1",
      "virtual page offset (VPO): it is the physical page offset (PPO), too",
      "tag of the TLB (TLBT): a way of the set hits if its tag is equal",
      "index of the TLB (TLBI): it chooses set 3",
    ],
  ],
  [
    "four_tables",
    accesses.l1Hit,
    [
      "PT index 181 = 0xb5: a part of the virtual page number (VPN)",
      "virtual page offset (VPO): it is the physical page offset (PPO), too",
      "page number (VPN) 0x7f3a1c2b5: index (TLBI) 0x5, tag (TLBT) 0x7f3a1c2b",
    ],
  ],
])("tips_have_textbook_words_with_%s", (_name, { step, machine }, tips) => {
  const [translation] = step.translations;
  if (!translation) throw new Error("the access has a translation");
  const all = [
    ...bitFields(translation),
    ...brackets(translation, machine),
  ].map(({ tip }) => tip);
  expect(all).toEqual(expect.arrayContaining(tips));
});

test("boxes_stand_side_by_side", () => {
  const fields = bitFields(first(accesses.pdeHit));
  const { boxes, width, left, right } = bitLayout(fields);
  boxes.slice(1).forEach((box, at) => {
    const before = boxes[at];
    expect(box.x).toBeCloseTo((before?.x ?? 0) + (before?.width ?? 0) + 8);
  });
  expect([left(47), right(0)]).toEqual([0, width]);
});

test("lists_read_like_english", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listOf)).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
});

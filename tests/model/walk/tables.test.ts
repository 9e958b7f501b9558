import { describe, expect, test } from "vitest";
import { entryBytes } from "../../../src/model/walk/entry";
import {
  defaultLevel,
  entryTarget,
  hitOf,
  newEntries,
  pageEnd,
  servedRank,
  skipOf,
  tableRows,
  walkSummary,
} from "../../../src/model/walk/tables";
import { entryFields } from "../../../src/model/walk/entry";
import { rowTop, tickY, walkLayout } from "../../../src/model/walk/layout";
import {
  bigPage,
  blackboard,
  coldFault,
  l1Hit,
  pdeHit,
  pml4eHit,
} from "../../pictures/accesses";
import type { Scene } from "../../pictures/accesses";
import { skylake, teaching } from "../../pictures/fixtures";

function first({ step }: Scene) {
  const [translation] = step.translations;
  if (!translation) throw new Error("a scene has a translation");
  return translation;
}

function leaf(scene: Scene) {
  const level = first(scene).levels.at(-1);
  if (!level) throw new Error("a walk has a leaf");
  return level;
}

describe("skip", () => {
  test("the_pde_cache_skips_three_tables", () => {
    expect(skipOf(first(pdeHit), skylake)).toEqual({
      count: 3,
      who: "PDE cache hit",
      path: "254 · 232 · 225",
      target: "PT at 0x5f07000",
      address: "0x5f07000",
    });
  });
  test("the_pml4e_cache_skips_one", () => {
    expect(skipOf(first(pml4eHit), skylake)).toMatchObject({
      count: 1,
      who: "PML4E cache hit",
      path: "254",
    });
  });
  test("a_cold_walk_skips_nothing", () =>
    expect(skipOf(first(coldFault), skylake)).toBeNull());
  test("a_tlb_hit_is_not_a_walk_cache", () => {
    expect(skipOf(first(l1Hit), skylake)).toBeNull();
    expect(hitOf(first(l1Hit), skylake)).toBe("L1 dTLB 4K");
  });
});

test.each([
  [pdeHit, "1 of 4 references read, 3 skipped"],
  [coldFault, "4 of 4 references read"],
  [bigPage, "2 of 3 references read, 1 skipped"],
  [blackboard, "1 of 1 reference read"],
  [l1Hit, "no walk: L1 hit."],
])("the_head_line_counts_references", (scene, text) =>
  expect(walkSummary(first(scene), scene.machine)).toBe(text),
);

test.each([
  [pdeHit, "1 of 4 read"],
  [coldFault, "4 of 4 read"],
  [l1Hit, "no walk: L1 hit."],
])("the_head_line_is_short_in_a_tight_place", (scene, text) =>
  expect(walkSummary(first(scene), scene.machine, true)).toBe(text),
);

test.each([
  [pdeHit, ["0, 0", "0, 1", "0, 2", "0, 3", "1, 3"]],
  [coldFault, ["0, 0", "1, 0", "2, 0", "3, 0", "4, 0"]],
])("the_head_line_counts_what_the_walk_has_reached", (scene, texts) =>
  expect(
    [0, 1, 2, 3, 4].map((reached) =>
      walkSummary(first(scene), scene.machine, false, reached)
        .replace(" of 4 references read", "")
        .replace(" skipped", ""),
    ),
  ).toEqual(texts.map((text) => text.replace(", 0", ""))),
);

test("the_page_ends_at_the_physical_address", () => {
  expect(pageEnd(first(pdeHit))).toEqual({
    title: "page, 4K",
    frame: "0x1388b",
    frameName: "frame",
    base: "0x1388b000",
    offset: "0xe48",
    physical: "0x1388be48",
    share: 0xe48 / 4096,
  });
  expect(pageEnd(first(bigPage))).toMatchObject({
    title: "page, 2M",
    offset: "0x0b5e48",
    physical: "0x138b5e48",
  });
  expect(pageEnd(first(blackboard))).toMatchObject({
    title: "page, 64 B",
    physical: "0x354",
    offset: "0x14",
  });
});

test("rows_stand_around_the_entry_in_question", () => {
  expect(tableRows(leaf(pdeHit)).map(({ at, index }) => [at, index])).toEqual([
    [-2, 179],
    [-1, 180],
    [1, 182],
    [2, 183],
  ]);
});

test("caches_are_shaded_by_rank_and_dram_always_is_the_last", () => {
  expect(
    ["L1D", "L2", "L3", "DRAM"].map((name) => servedRank(skylake, name)),
  ).toEqual([1, 2, 3, 4]);
  expect(servedRank(teaching, "memory")).toBe(4);
  const four = {
    ...skylake,
    memory: [
      ["L1D", 4],
      ["L2", 14],
      ["L3", 60],
      ["L4", 90],
      ["DRAM", 200],
    ] satisfies [string, number][],
  };
  expect(four.memory.map(([name]) => servedRank(four, name))).toEqual([
    1, 1, 2, 3, 4,
  ]);
});

test("the_last_entry_read_is_looked_at_first", () => {
  expect(defaultLevel(first(pdeHit))).toBe(3);
  expect(defaultLevel(first(l1Hit))).toBe(3);
  expect(defaultLevel(first(bigPage))).toBe(2);
});

test("an_entry_points_to_the_next_table_or_to_the_frame", () => {
  expect(entryTarget(first(coldFault), 0)).toBe("0x2b4d000");
  expect(entryTarget(first(coldFault), 3)).toBe("0x1388b");
});

describe("bits of an entry", () => {
  const fields = (scene: Scene, at: number) => {
    const level = first(scene).levels[at];
    return level ? entryFields(level) : [];
  };
  test("every_bit_belongs_to_one_field", () => {
    for (const scene of [coldFault, bigPage, blackboard])
      first(scene).levels.forEach((_, at) => {
        let next = 63;
        for (const { high, low } of fields(scene, at)) {
          expect(high).toBe(next);
          next = low - 1;
        }
        expect(next).toBe(-1);
      });
  });
  test("a_4k_page_has_its_frame_in_bits_51_to_12", () => {
    const set = fields(pdeHit, 3)
      .filter((field) => field.isSet)
      .map(({ name, value }) => `${name}=${value}`);
    expect(set).toEqual([
      "XD=1",
      "frame 51:12=0x1388b",
      "D=1",
      "A=1",
      "U=1",
      "W=1",
      "P=1",
    ]);
  });
  test("a_2m_page_has_its_frame_in_bits_51_to_21_and_the_size_bit", () => {
    const named = new Map(
      fields(bigPage, 2).map(({ name, value }) => [name, value]),
    );
    expect(named.get("frame 51:21")).toBe("0x9c");
    expect(named.get("PS")).toBe("1");
  });
  test("a_table_entry_points_to_a_table", () => {
    const named = new Map(
      fields(coldFault, 0).map(({ name, value }) => [name, value]),
    );
    expect(named.get("table 51:12")).toBe("0x2b4d");
    expect(named.get("PS")).toBe("0");
  });
  test("a_64_byte_page_keeps_its_frame_number_above_the_flags", () => {
    expect(fields(blackboard, 0).find((field) => field.address)?.value).toBe(
      "0xd",
    );
  });
});

describe("layout", () => {
  test("four_tables_fill_the_picture", () => {
    const { columns, columnWidth, pageX, pageWidth } = walkLayout(4, 4, 0);
    expect(columns).toEqual([80, 212, 344, 476]);
    expect(columnWidth).toBe(118);
    expect(pageX + pageWidth).toBe(712);
  });
  test("columns_keep_their_places_when_the_walk_ends_early", () => {
    const large = walkLayout(3, 4, 1);
    expect(large.columns).toEqual([80, 212, 344]);
    expect(large.pageWidth).toBeGreaterThan(walkLayout(4, 4, 0).pageWidth);
  });
  test.each([1, 2, 3, 4, 5])("%i_levels_stay_inside", (levels) => {
    for (const room of [300, 480, 600, 712, 1200]) {
      const { columns, columnWidth, pageX, pageWidth, width } = walkLayout(
        levels,
        levels,
        2,
        room,
      );
      expect(Math.max(...columns) + columnWidth).toBeLessThan(pageX);
      expect(pageX + pageWidth).toBeLessThanOrEqual(width);
    }
  });
  test("a_narrow_panel_gets_a_compact_picture_of_its_own_width", () => {
    expect(walkLayout(4, 4, 0, 480)).toMatchObject({
      compact: true,
      width: 480,
    });
    expect(walkLayout(5, 5, 0, 480).width).toBeGreaterThan(480);
  });
  test("rows_above_and_below_do_not_touch_the_lit_row", () => {
    const layout = walkLayout(4, 4, 0);
    expect([-2, -1, 1, 2].map((at) => rowTop(layout, at))).toEqual([
      101, 123, 185, 207,
    ]);
  });
  test("ticks_lie_inside_the_strip", () => {
    const layout = walkLayout(4, 4, 0);
    expect(tickY(layout, 0, 512)).toBeGreaterThan(90);
    expect(tickY(layout, 511, 512)).toBeLessThan(240);
  });
  test("a_picture_keeps_its_rows_inside_the_strips", () => {
    const layout = walkLayout(4, 4, 0, 480);
    expect(rowTop(layout, -2)).toBeGreaterThanOrEqual(90);
    expect(rowTop(layout, 2) + 22).toBeLessThanOrEqual(90 + layout.stripHeight);
  });
});

test("the_entries_of_a_first_touch_are_those_whose_flag_the_walk_set", () => {
  const fault = { ...first(coldFault), ad_updates: 3 };
  expect([
    newEntries(fault, "load"),
    newEntries(fault, "store"),
    newEntries({ ...first(l1Hit), ad_updates: 1 }, "store"),
  ]).toEqual([3, 2, 0]);
});

test.each([
  ["0x1a3c000", 254, "0x1a3c7f0", 8],
  ["0x600", 15, "0x61e", 2],
  ["0x600", 0, "0x600", null],
])(
  "the_entry_of_table_%s_with_index_%d_at_%s_says_a_size_of_%d",
  (table, index, entry_address, bytes) => {
    const [level] = blackboard.step.translations[0]?.levels ?? [];
    if (!level) throw new Error("no level");
    const levels = [{ ...level, table, index, entry_address }];
    expect(entryBytes(levels)).toBe(bytes);
  },
);

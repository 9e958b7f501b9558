import { describe, expect, test } from "vitest";
import { cellFields, cellFlags } from "../../../src/model/walk/nested/entry";
import { skipSources } from "../../../src/model/walk/nested/caches";
import {
  cellsOf,
  columnOf,
  gridSummary,
  lastRead,
  nestedGrid,
  sameEntry,
  sumOf,
} from "../../../src/model/walk/nested/grid";
import type { Grid } from "../../../src/model/walk/nested/grid";
import {
  cellX,
  nestedLayout,
  rowY,
} from "../../../src/model/walk/nested/layout";
import { plates } from "../../../src/model/walk/nested/plates";
import { reachedCells, walkSteps } from "../../../src/model/walk/nested/steps";
import { cellSentence, explainCell } from "../../../src/model/walk/nested/text";
import { costOf, trail } from "../../../src/model/replay/trail";
import type { Scene } from "../../pictures/accesses";
import { eptBits } from "../../pictures/eptBits";
import {
  nestedCold,
  nestedCombined,
  nestedFive,
  nestedHit,
  nestedLarge,
  nestedPwc,
  nestedWalk,
} from "../../pictures/nestedFixtures";

function partsOf({ machine, step, columns }: Scene) {
  const [translation] = step.translations;
  if (!translation?.nested) throw new Error("a nested scene");
  const { nested } = translation;
  const grid = nestedGrid(nested, translation, machine);
  return { machine, translation, nested, grid, columns };
}

const gridOf = (scene: Scene) => partsOf(scene).grid;

function cellOf(grid: Grid, n: number) {
  const cell = grid.cells.find(({ view }) => view.n === n);
  if (!cell) throw new Error(`no cell ${n}`);
  return cell;
}

describe("grid", () => {
  test("24_references_stand_in_the_order_of_bhargava", () => {
    const { rows } = gridOf(nestedCold);
    expect(rows.map(({ name }) => name)).toEqual([
      "gL4",
      "gL3",
      "gL2",
      "gL1",
      "data",
    ]);
    expect(rows.map((row) => cellsOf(row).map(({ view }) => view.n))).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10],
      [11, 12, 13, 14, 15],
      [16, 17, 18, 19, 20],
      [21, 22, 23, 24],
    ]);
    expect(rows.map(({ guest }) => guest?.view.n)).toEqual([
      5,
      10,
      15,
      20,
      undefined,
    ]);
  });
  test.each([
    [nestedCold, 24],
    [nestedLarge, 15],
    [nestedFive, 35],
  ])("a_cold_walk_has_as_many_references_as_its_tables_ask_for", (scene, n) => {
    expect(gridOf(scene).cells).toHaveLength(n);
  });
  test("numbers_of_skipped_references_are_gaps", () => {
    const grid = gridOf(nestedWalk);
    const read = grid.cells.filter(({ skip }) => !skip);
    expect(read.map(({ view }) => view.n)).toEqual([
      5, 10, 14, 15, 18, 19, 20, 23, 24,
    ]);
    expect(gridSummary(grid)).toBe("9 of 24 references read, 15 skipped");
    expect(gridSummary(gridOf(nestedCold))).toBe("24 of 24 references read");
  });
  test("the_head_line_follows_the_steps", () => {
    const grid = gridOf(nestedWalk);
    const steps = walkSteps(grid);
    const line = (at: number | null) =>
      gridSummary(grid, false, reachedCells(grid, steps, at));
    expect([-1, 0, 1, steps.length - 1, null].map(line)).toEqual([
      "0 of 24 references read",
      "0 of 24 references read, 4 skipped",
      "1 of 24 references read, 4 skipped",
      "9 of 24 references read, 15 skipped",
      "9 of 24 references read, 15 skipped",
    ]);
  });
  test("rows_and_columns_add_up_to_the_same_total", () => {
    for (const scene of [nestedWalk, nestedLarge, nestedFive, nestedPwc]) {
      const grid = gridOf(scene);
      const total = sumOf(grid.cells);
      const add = (parts: ReturnType<typeof sumOf>[]) =>
        parts.reduce((a, b) => ({
          read: a.read + b.read,
          of: a.of + b.of,
          cycles: a.cycles + b.cycles,
        }));
      const columns = [...grid.hostLevels.keys(), grid.hostLevels.length];
      expect(add(grid.rows.map((row) => sumOf(cellsOf(row))))).toEqual(total);
      expect(add(columns.map((at) => sumOf(columnOf(grid, at))))).toEqual(
        total,
      );
      expect(total.cycles).toBe(scene.step.translations[0]?.cycles.references);
    }
  });
  test("tables_below_a_large_page_keep_an_empty_place", () => {
    const { rows } = gridOf(nestedLarge);
    expect(rows.map(({ name, view }) => [name, view !== null])).toEqual([
      ["gL4", true],
      ["gL3", true],
      ["gL2", true],
      ["gL1", false],
      ["data", true],
    ]);
    expect(rows[3]?.about).toBe("no table: the gL2 entry maps 2M");
    expect(rows[0]?.host[3]).toBeNull();
  });
  test("the_last_reference_read_is_looked_at_first", () => {
    expect(lastRead(gridOf(nestedWalk))?.view.n).toBe(24);
    expect(lastRead(gridOf(nestedHit))?.view.n).toBe(24);
  });
  test("an_entry_that_several_addresses_need_is_known_as_one", () => {
    const grid = gridOf(nestedCold);
    const same = sameEntry(grid, cellOf(grid, 1));
    expect(same.map(({ view }) => view.n)).toEqual([6, 11, 16, 21]);
  });
});

describe("steps", () => {
  const story = (scene: Scene) =>
    walkSteps(gridOf(scene)).map(({ cells, skip }) => {
      const numbers = cells.map(({ view }) => view.n);
      return skip
        ? `${skip.who} skips ${numbers[0] ?? 0}–${numbers.at(-1) ?? 0}`
        : `reads ${numbers.join()}`;
    });
  test("a_hit_is_one_step_however_much_it_skips", () => {
    expect(story(nestedWalk)).toEqual([
      "nested TLB skips 1–4",
      "reads 5",
      "nested TLB skips 6–9",
      "reads 10",
      "EPT PDE cache skips 11–13",
      "reads 14",
      "reads 15",
      "EPT PDPTE cache skips 16–17",
      "reads 18",
      "reads 19",
      "reads 20",
      "EPT PDPTE cache skips 21–22",
      "reads 23",
      "reads 24",
    ]);
  });
  test("a_combined_cache_skips_whole_rows", () => {
    expect(story(nestedCombined)).toEqual([
      "PDE cache skips 1–19",
      "reads 20",
      "EPT PDE cache skips 21–23",
      "reads 24",
    ]);
  });
  test("a_tlb_hit_skips_everything", () => {
    expect(story(nestedHit)).toEqual(["L1 dTLB 4K skips 1–24"]);
  });
  test("a_cold_walk_is_its_references_in_order", () => {
    expect(story(nestedCold)).toEqual(
      Array.from({ length: 24 }, (_, at) => `reads ${at + 1}`),
    );
  });
});

describe("words", () => {
  test("a_reference_says_what_it_reads_and_why", () => {
    const { grid, nested, translation } = partsOf(nestedWalk);
    const lines = explainCell(cellOf(grid, 24), grid, nested, translation);
    const named = Object.fromEntries(
      lines.map(({ term, text }) => [term, text]),
    );
    expect(named).toMatchObject({
      reads: "nL1 for the data page",
      because: "gPA 0x1388be48 >> 12 & 511 = 139",
      value: "0x6e21d3337  R W X · WB · A D",
      gives: "0x6e21d3e48 in the host",
    });
    const [, table = "", address = ""] =
      /^(0x\w+) \+ 139 × 8 = (0x\w+)$/.exec(named.at ?? "") ?? [];
    expect(BigInt(address)).toBe(BigInt(table) + 139n * 8n);
  });
  test("a_guest_entry_leads_to_a_guest_physical_table", () => {
    const { grid, nested, translation } = partsOf(nestedWalk);
    const text = (n: number, term: string) =>
      explainCell(cellOf(grid, n), grid, nested, translation).find(
        (line) => line.term === term,
      )?.text;
    expect(text(10, "because")).toBe("VA 0x7f3a1c2b5e48 >> 30 & 511 = 232");
    expect(text(10, "gives")).toBe("guest-physical 0x3e12000, the gL2 table");
    expect(text(20, "gives")).toBe("guest-physical 0x1388be48, the data");
    expect(text(1, "skipped by")).toBe("nested TLB, gPA >> 12 = 0x1a3c");
    expect(text(12, "skipped by")).toBe("EPT PDE cache, gPA >> 21 = 0x1f");
  });
  test("a_cell_is_read_out_as_a_sentence", () => {
    const grid = gridOf(nestedWalk);
    expect(cellSentence(cellOf(grid, 14))).toMatch(
      /^Reference 14: nL1 for the gL2 table at 0x\w+, read from L1D in 4 cycles, number 3 of this walk$/,
    );
    expect(cellSentence(cellOf(grid, 2))).toBe(
      "Reference 2: nL3 for the gL4 table, skipped: nested TLB hit",
    );
  });
  test("trail_and_cost_count_both_dimensions", () => {
    const { translation, machine } = partsOf(nestedWalk);
    expect(trail(translation, machine).map(({ text }) => text)).toEqual([
      "L1 dTLB miss",
      "STLB miss",
      "walk caches miss",
      "walk, 9 of 24 references",
    ]);
    const cost = costOf(translation, machine, "load");
    expect(cost.total).toBe("457 cycles");
    expect(cost.parts).toBe(
      "= 9 STLB miss + 8 to start the walk + 440 to read 9 entries",
    );
    expect(cost.terms).toEqual([
      "STLB miss, as much as a hit: 9",
      "start of a walk: 8",
      "4 entries from L2: 56",
      "1 entry from L1D: 4",
      "3 entries from L3: 180",
      "1 entry from DRAM: 200",
    ]);
  });
});

describe("what skipped", () => {
  const actual = (scene: Scene) =>
    skipSources(partsOf(scene)).map(({ name, kind, what }) => [
      name,
      kind,
      what,
    ]);
  test("each_structure_says_what_it_did", () => {
    expect(actual(nestedWalk)).toEqual([
      ["Combined walk caches", "combined", "looked up 3 times, no hit"],
      ["Nested TLB", "nested-tlb", "skipped 8"],
      ["EPT PDE cache", "ept-pde", "skipped 3"],
      ["EPT PDPTE cache", "ept-pdpte", "skipped 4"],
      ["EPT PML4E cache", "ept-pml4e", "not looked up"],
    ]);
    expect(actual(nestedPwc)).toEqual([
      ["Nested TLB", "nested-tlb", "skipped 8"],
      ["Page walk cache", "pwc", "skipped 12"],
    ]);
  });
  test("the_parts_add_up_to_all_that_was_skipped", () => {
    for (const scene of [nestedWalk, nestedCombined, nestedPwc]) {
      const parts = partsOf(scene);
      const { read, of } = sumOf(parts.grid.cells);
      const skipped = skipSources(parts).reduce((n, s) => n + s.skipped, 0);
      expect(skipped).toBe(of - read);
    }
  });
  test("a_nested_tlb_inside_an_array_has_its_entries_in_the_picture_of_the_array", () => {
    const parts = partsOf(nestedWalk);
    const { structures } = parts.machine;
    const array = structures.findIndex(({ role }) => role === "l2");
    const inside = structures.map((view) =>
      view.role === "nested-tlb" ? { ...view, inside: array } : view,
    );
    const machine = { ...parts.machine, structures: inside };
    const [, own] = skipSources(parts);
    const [, shared] = skipSources({ ...parts, machine });
    expect(own?.shown).toBe(own?.structures[0]);
    expect(shared).toMatchObject({ shown: array, total: 0 });
  });
  test("the_entries_that_hit_come_first_and_say_where_they_lead", () => {
    const [, tlb, pde] = skipSources(partsOf(nestedWalk));
    expect(tlb?.pills).toEqual([
      { key: "0x1a3c", target: "0x4c0f21000", hit: true },
      { key: "0x2b4d", target: "0x4c1a07000", hit: true },
      { key: "0x1388a", target: null, hit: false },
    ]);
    expect(tlb?.more).toBe(13);
    expect(pde?.pills[0]).toMatchObject({ key: "0x1f", hit: true });
  });
});

describe("bits", () => {
  const ept = (level: number, leaf: boolean, value: string) => ({
    dimension: "host" as const,
    fields: eptBits(value, { level, leaf }),
  });
  /** SDM tables 28-1 to 28-6: rights in 2:0, type in 5:3, IPAT 6, accessed 8, dirty 9. */
  test.each([
    [1, true, "0x6e21d3337", "R W X · WB · A D"],
    [1, true, "0x6e21d3071", "R · WB · IPAT"],
    [2, true, "0x6e20003b7", "R W X · WB · PS A D"],
    [4, false, "0x4c0f2e107", "R W X · A"],
    [2, false, "0x4c0f2e007", "R W X"],
    [1, true, "0x8000006e21d30035", "R X · WB · SVE"],
    [1, true, "0x6e21d3007", "R W X · UC"],
  ] as const)(
    "an_ept_entry_at_level_%i_leaf_%s_of_%s",
    (level, leaf, value, flags) => {
      expect(cellFlags(ept(level, leaf, value), "ept")).toBe(flags);
    },
  );
  test("the_memory_type_has_its_usual_letters", () => {
    const type = (value: string) =>
      cellFields(ept(1, true, value)).find(({ name }) => name === "type");
    expect(type("0x6e21d3337")?.value).toBe("WB");
    expect(type("0x6e21d3007")?.value).toBe("UC");
  });
  test("guest_entries_keep_the_format_of_the_processor", () => {
    const { grid, nested } = partsOf(nestedWalk);
    const { view } = cellOf(grid, 20);
    expect(cellFlags(view, nested.host_format)).toBe("P W U A D XD");
  });
});

describe("layout", () => {
  const widths = [300, 358, 480, 520, 590, 640, 858, 860, 940, 1100, 1800];
  test.each([
    [4, 5],
    [5, 6],
    [4, 6],
    [5, 5],
  ])("%i_host_levels_and_%i_rows_stay_inside", (hosts, rows) => {
    const rooms = widths.flatMap((room) =>
      ([false, true, "very"] as const).map((low) => ({ room, low })),
    );
    for (const { room, low } of rooms) {
      const layout = nestedLayout(hosts, rows, room, low);
      const right = cellX(layout, hosts) + layout.cellWidth;
      expect(right).toBeLessThan(layout.readEnd ?? layout.cyclesEnd);
      expect(layout.cyclesEnd).toBeLessThanOrEqual(layout.width);
      expect(layout.cellWidth).toBeGreaterThan(30);
      expect(rowY(layout, rows - 1) + layout.cellHeight).toBeLessThan(
        layout.foot,
      );
    }
  });
  test("the_picture_of_the_design_is_as_the_design_has_it", () => {
    const layout = nestedLayout(4, 5, 964);
    expect(layout.columns).toEqual([176, 302, 428, 554]);
    expect(layout).toMatchObject({
      cellWidth: 116,
      cellHeight: 60,
      guest: 698,
      foot: 392,
      height: 440,
    });
  });
  test("plates_stand_over_what_was_skipped", () => {
    const { grid, translation } = partsOf(nestedWalk);
    const layout = nestedLayout(4, 5, 964);
    const found = plates(walkSteps(grid), 4, layout, translation);
    expect(found.map(({ text, x, y }) => [text, x, y])).toEqual([
      ["nested TLB hit", 423, 82],
      ["nested TLB hit", 423, 150],
      ["EPT PDE cache hit", 360, 218],
      ["EPT PDPTE cache hit", 297, 286],
      ["EPT PDPTE cache hit", 297, 354],
    ]);
  });
  test("a_narrow_plate_says_less_and_never_nothing", () => {
    for (const scene of [nestedWalk, nestedPwc, nestedCombined]) {
      const { grid, translation } = partsOf(scene);
      const layout = nestedLayout(4, 5, 358);
      for (const { text } of plates(walkSteps(grid), 4, layout, translation))
        expect(text).not.toBe("");
    }
  });
});

/**
 * Nested walks for the tests of the pictures, written around the worked example of the native walks: the same load,
 * in a guest. A walk is written row by row, a letter for each entry: `1` to `4` = read from the first cache … DRAM,
 * `t` = TLB, `c` = combined cache, `n` = nested TLB, `e` = EPT cache, `p` = page-walk cache, `.` = no such table.
 */
import type { CellState } from "../../src/engine/generated/CellState";
import type { LevelView } from "../../src/engine/generated/LevelView";
import type { LookupView } from "../../src/engine/generated/LookupView";
import type { MachineView } from "../../src/engine/generated/MachineView";
import type { NestedCellView } from "../../src/engine/generated/NestedCellView";
import type { NestedRowView } from "../../src/engine/generated/NestedRowView";
import type { NestedView } from "../../src/engine/generated/NestedView";
import type { TranslationView } from "../../src/engine/generated/TranslationView";
import { pageSize } from "../../src/model/shared/format";
import { hex } from "../../src/model/shared/hex";
import { entryBits } from "./entryBits";
import { eptBits } from "./eptBits";
import {
  emptyColumns,
  fiveLevels,
  lookup,
  put,
  skylake,
  step,
  structure,
  translation,
} from "./fixtures";
import type { Spec } from "./fixtures";
import type { Scene } from "./accesses";

const EPT_STRUCTURES = [
  structure("nested TLB", "nested-tlb", 1, 16),
  structure("EPT pde", "ept-psc", 8, 4),
  structure("EPT pdpte", "ept-psc", 1, 4),
  structure("EPT pml4e", "ept-psc", 1, 2),
];

/** Structure numbers of Skylake-SP under EPT. */
export const NESTED_TLB = skylake.structures.length;
export const EPT_PDE = NESTED_TLB + 1;
export const EPT_PDPTE = NESTED_TLB + 2;

export const virtual: MachineView = {
  ...skylake,
  virt: "ept",
  host_levels: 4,
  structures: [...skylake.structures, ...EPT_STRUCTURES],
};

export const virtualFive: MachineView = {
  ...fiveLevels,
  virt: "ept",
  host_levels: 5,
  structures: [
    ...fiveLevels.structures,
    ...EPT_STRUCTURES,
    structure("EPT pml5e", "ept-psc", 1, 2),
  ],
};

/** AMD's style: one cache of table entries for both dimensions. */
export const amd: MachineView = {
  ...skylake,
  name: "Opteron, 2D page walk cache",
  virt: "ept",
  host_levels: 4,
  structures: [
    ...skylake.structures.filter(({ role }) => role !== "psc"),
    structure("nested TLB", "nested-tlb", 1, 16),
    structure("page walk cache", "pwc", 1, 24),
  ],
};

interface RowSpec {
  readonly gpa: string;
  readonly hpa: string;
  /** `nnnn2`: the host's entries from the root, then the guest's. */
  readonly cells: string;
  readonly lookups?: readonly LookupView[];
}

interface NestedSpec {
  readonly machine?: MachineView;
  readonly base: Spec;
  readonly rows: readonly RowSpec[];
  /** log2 of the host's page with the data. */
  readonly hostShift?: number;
  readonly violations?: NestedView["violations"];
  readonly format?: NestedView["host_format"];
}

const STATES: Readonly<Record<string, CellState>> = {
  t: "skipped-by-tlb",
  c: "skipped-by-psc",
  n: "skipped-by-nested-tlb",
  e: "skipped-by-ept-psc",
  p: "skipped-by-pwc",
};

/** The structure that a state names, as the engine numbers it. */
function structureOf(
  { structures }: MachineView,
  state: CellState,
  { lookups = [] }: RowSpec,
): number | null {
  switch (state) {
    case "skipped-by-nested-tlb":
    case "skipped-by-ept-psc":
      return lookups.find(({ hit }) => hit)?.structure ?? null;
    case "skipped-by-pwc":
      return structures.findIndex(({ role }) => role === "pwc");
    case "read":
    case "skipped-by-tlb":
    case "skipped-by-psc":
      return null;
  }
}

/** Makes a nested translation from a native one, whose tables become the guest's. */
export function nestedTranslation(spec: NestedSpec): TranslationView {
  const { machine = virtual, base, rows, hostShift = 12 } = spec;
  const native = translation({ ...base, machine });
  const hostLevels = machine.host_levels ?? 4;
  let n = 0;
  let order = 0;
  const cell = (
    letter: string,
    row: RowSpec,
    part: Pick<
      NestedCellView,
      | "dimension"
      | "level"
      | "entry"
      | "for"
      | "index"
      | "shift"
      | "address"
      | "value"
      | "leaf"
    >,
  ): NestedCellView => {
    n += 1;
    const state = STATES[letter] ?? "read";
    const isRead = state === "read";
    if (isRead) order += 1;
    const memory = machine.memory[Number(letter) - 1] ?? ["DRAM", 200];
    return {
      ...part,
      n,
      order: isRead ? order : null,
      state,
      skipped_by: structureOf(machine, state, row),
      lookup: null,
      bits: 9,
      fields:
        part.dimension === "host" && spec.format !== "npt"
          ? eptBits(part.value, part)
          : entryBits(part.value, { ...part, offsetBits: 12 }),
      served_by: isRead ? memory[0] : null,
      cycles: isRead ? memory[1] : null,
    };
  };
  const views = rows.map((row, at): NestedRowView => {
    const level = native.levels[at];
    const name = level ? `gL${level.level}` : "data";
    const guestByte = level
      ? BigInt(row.gpa) + 8n * BigInt(level.index)
      : BigInt(row.gpa);
    const letters = Array.from(row.cells);
    const host = Array.from({ length: hostLevels }, (_, column) => {
      const letter = letters[column] ?? ".";
      if (letter === ".") return null;
      const hostLevel = hostLevels - column;
      const shift = 12 + 9 * (hostLevel - 1);
      const index = Number(BigInt.asUintN(9, guestByte >> BigInt(shift)));
      const leaf = (letters[column + 1] ?? ".") === "." || hostLevel === 1;
      // Tables are consecutive in memory, with a separate range for each part of the guest's memory.
      const table =
        0x4c0f00000n +
        BigInt(hostLevel) * 0x40000n +
        ((guestByte >> BigInt(shift + 9)) % 0x40n) * 0x1000n;
      const value = leaf
        ? ((BigInt(row.hpa) >> BigInt(shift)) << BigInt(shift)) |
          0x337n |
          (hostLevel > 1 ? 0x80n : 0n)
        : (table - 0x40000n + BigInt(index) * 0x1000n) | 0x107n;
      return cell(letter, row, {
        dimension: "host",
        level: hostLevel,
        entry: `nL${hostLevel}`,
        for: name,
        index,
        shift,
        address: hex(table + 8n * BigInt(index)),
        value: hex(value),
        leaf,
      });
    }).filter((each) => each !== null);
    const guest = level
      ? cell(letters[hostLevels] ?? "4", row, {
          dimension: "guest",
          level: level.level,
          entry: name,
          for: name,
          index: level.index,
          shift: level.shift,
          address: hex(BigInt(row.hpa) + 8n * BigInt(level.index)),
          value: level.value,
          leaf: level.leaf,
        })
      : null;
    return {
      name,
      guest_physical: row.gpa,
      host_physical: row.hpa,
      lookups: [...(row.lookups ?? [])],
      host,
      guest,
    };
  });
  const cells = views.flatMap(({ host, guest }) =>
    guest ? [...host, guest] : host,
  );
  const read = cells.filter(({ state }) => state === "read");
  const references = read.reduce((sum, each) => sum + (each.cycles ?? 0), 0);
  const overhead = read.length > 0 ? 8 : 0;
  const states = views.map(({ guest }) => guest?.state);
  const levels = native.levels.map((level, at): LevelView => {
    const state = states[at];
    return {
      ...level,
      state:
        state === "read" || state === "skipped-by-tlb"
          ? state
          : "skipped-by-psc",
    };
  });
  return {
    ...native,
    levels,
    refs: read.length,
    physical: rows.at(-1)?.hpa ?? "0x0",
    frame: hex(BigInt(rows.at(-1)?.hpa ?? "0x0") >> BigInt(native.page_shift)),
    cycles: {
      l2_hit: native.cycles.l2_hit,
      l2_miss: native.cycles.l2_miss,
      walk_overhead: overhead,
      references,
      total:
        native.cycles.l2_hit + native.cycles.l2_miss + overhead + references,
    },
    nested: {
      guest_page: native.page_size,
      host_page: pageSize(hostShift),
      guest_levels: machine.levels,
      host_levels: hostLevels,
      host_format: spec.format ?? "ept",
      rows: views,
      guest_refs: read.filter(({ dimension }) => dimension === "guest").length,
      host_refs: read.filter(({ dimension }) => dimension === "host").length,
      cold_refs: cells.length,
      violations: [...(spec.violations ?? [])],
      host_accessed: 0,
      host_dirty: 0,
    },
  };
}

const VA = "0x7f3a1c2b5e48";

const BASE: Omit<Spec, "outcome"> = {
  address: VA,
  frame: "0x6e21d3",
  tables: [
    { name: "PML4", table: "0x1a3c000", value: "0x2b4d067" },
    { name: "PDPT", table: "0x2b4d000", value: "0x3e12067" },
    { name: "PD", table: "0x3e12000", value: "0x5f07067" },
    { name: "PT", table: "0x5f07000", value: "0x800000001388b067" },
  ],
  served: ["L2", "L2", "L2", "L3"],
  tlb: [
    lookup(2, 5, null, "0x7f3a1c2b5", 12),
    lookup(5, 48, null, "0x7f3a1c2b5", 12),
  ],
};

const combinedMissed = [
  lookup(7, 1, null, "0x3f9d0e1", 21),
  lookup(8, 0, null, "0x1fce8", 30),
  lookup(9, 0, null, "0xfe", 39),
];

const nested = (key: string, way: number | null) =>
  lookup(NESTED_TLB, 0, way, key, 12);
const pde = (key: string, way: number | null) =>
  lookup(EPT_PDE, 1, way, key, 21);
const pdpte = (key: string, way: number | null) =>
  lookup(EPT_PDPTE, 0, way, key, 30);

const ROWS: readonly Omit<RowSpec, "cells">[] = [
  { gpa: "0x1a3c000", hpa: "0x4c0f21000" },
  { gpa: "0x2b4d000", hpa: "0x4c1a07000" },
  { gpa: "0x3e12000", hpa: "0x4c2233000" },
  { gpa: "0x5f07000", hpa: "0x4c3377000" },
  { gpa: "0x1388be48", hpa: "0x6e21d3e48" },
];

const EXAMPLE_LOOKUPS: readonly (readonly LookupView[])[] = [
  [nested("0x1a3c", 0)],
  [nested("0x2b4d", 1)],
  [nested("0x3e12", null), pde("0x1f", 0)],
  [nested("0x5f07", null), pde("0x2f", null), pdpte("0x0", 0)],
  [pde("0x9c", null), pdpte("0x0", 0)],
];

function rows(
  cells: readonly string[],
  lookups: readonly (readonly LookupView[])[] = [],
): RowSpec[] {
  return ROWS.map((row, at) => ({
    ...row,
    cells: cells[at] ?? "",
    lookups: lookups[at] ?? [],
  }));
}

function columnsOf(machine: MachineView) {
  const columns = machine.structures.map(emptyColumns);
  const fill = (at: number, keys: readonly bigint[], keyShift: number) =>
    keys.forEach((key, slot) => {
      const content = columns[at];
      if (content)
        put(content, slot, {
          key,
          keyShift,
          filledAt: slot,
          usedAt: 900 - slot,
        });
    });
  const from = machine.structures.findIndex(
    ({ role }) => role === "nested-tlb",
  );
  fill(
    from,
    [
      0x1a3cn,
      0x2b4dn,
      0x1388an,
      0x1388bn,
      ...Array.from({ length: 12 }, (_, i) => 0x2000n + BigInt(i)),
    ],
    12,
  );
  if (machine.structures[from + 1]?.role === "ept-psc") {
    fill(
      from + 1,
      [
        0x1fn,
        0x13n,
        ...Array.from({ length: 30 }, (_, i) => 0x100n + BigInt(i)),
      ],
      21,
    );
    fill(from + 2, [0n, 3n], 30);
  } else fill(from + 1, [0x4c1000n, 0x4c2000n, 0x4c2008n], 3);
  return columns;
}

function scene(
  translationView: TranslationView,
  machine: MachineView = virtual,
): Scene {
  return {
    machine,
    step: step([translationView], {}, machine),
    columns: columnsOf(machine),
  };
}

/** The example of the design: 9 of 24 read, after the combined caches were dropped. */
export const nestedWalk = scene(
  nestedTranslation({
    base: { ...BASE, outcome: "walk", psc: combinedMissed },
    rows: rows(["nnnn2", "nnnn2", "eee12", "ee233", "ee34"], EXAMPLE_LOOKUPS),
  }),
);

/** No cache holds anything: the walk reads all 24 entries, and the host maps two pages during the walk. */
export const nestedCold = scene(
  nestedTranslation({
    base: { ...BASE, outcome: "fault", psc: combinedMissed },
    rows: rows(["44444", "11144", "11144", "11144", "1144"]),
    violations: [
      { guest_physical: "0x1388be48", for: "data", qualification: "0x181" },
      { guest_physical: "0x5f07000", for: "gL1", qualification: "0x83" },
    ],
  }),
);

/** The combined PDE cache leads directly to the guest's last table. */
export const nestedCombined = scene(
  nestedTranslation({
    base: {
      ...BASE,
      outcome: "walk",
      psc: [lookup(7, 1, 0, "0x3f9d0e1", 21)],
    },
    rows: rows(
      ["ccccc", "ccccc", "ccccc", "cccc1", "eee2"],
      [[], [], [], [], [pde("0x9c", 2)]],
    ),
  }),
);

/** A TLB hit, so there is no walk. */
export const nestedHit = scene(
  nestedTranslation({
    base: {
      ...BASE,
      outcome: "l1-hit",
      tlb: [lookup(2, 5, 3, "0x7f3a1c2b5", 12)],
    },
    rows: rows(["ttttt", "ttttt", "ttttt", "ttttt", "tttt"]),
  }),
);

/** 2M pages in both dimensions: 15 references. */
export const nestedLarge = scene(
  nestedTranslation({
    base: {
      ...BASE,
      outcome: "walk",
      pageShift: 21,
      tables: [
        ...BASE.tables.slice(0, 2),
        { name: "PD", table: "0x3e12000", value: "0x138000e7" },
      ],
      served: ["L2", "L2", "L2"],
      psc: combinedMissed,
    },
    hostShift: 21,
    rows: [
      ...rows(["221.2", "111.1", "111.1"]).slice(0, 3),
      { gpa: "0x138b5e48", hpa: "0x6e20b5e48", cells: "113." },
    ],
  }),
);

/** Five levels in both dimensions: 35 references. */
export const nestedFive = scene(
  nestedTranslation({
    machine: virtualFive,
    base: {
      ...BASE,
      address: "0x7b7f3a1c2b5e48",
      outcome: "walk",
      tables: [
        { name: "PML5", table: "0x9f000", value: "0x1a3c067" },
        ...BASE.tables,
      ],
      served: ["L2", "L2", "L2", "L2", "L2"],
    },
    rows: [
      { gpa: "0x9f000", hpa: "0x4c0e01000", cells: "222342" },
      ...rows(["111122", "111132", "111132", "111144", "11144"]),
    ],
  }),
  virtualFive,
);

/** AMD: the page-walk cache holds single entries of both dimensions. */
export const nestedPwc = scene(
  nestedTranslation({
    machine: amd,
    base: { ...BASE, outcome: "walk" },
    format: "npt",
    rows: rows(
      ["nnnnp", "nnnnp", "ppp2p", "ppp33", "ppp4"],
      [[nested("0x1a3c", 0)], [nested("0x2b4d", 1)]].map((row) =>
        row.map((each) => ({ ...each, structure: 7 })),
      ),
    ),
  }),
  amd,
);

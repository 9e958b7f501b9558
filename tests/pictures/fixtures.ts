/**
 * Machines and accesses for the tests of the pictures, written by hand around one worked
 * example: the load of 8 bytes at 0x7f3a1c2b5e48 whose PDE is cached.
 */
import type { EntryView } from "../../src/engine/generated/EntryView";
import type { FillView } from "../../src/engine/generated/FillView";
import type { Kind } from "../../src/engine/generated/Kind";
import type { LevelView } from "../../src/engine/generated/LevelView";
import type { LookupView } from "../../src/engine/generated/LookupView";
import type { MachineView } from "../../src/engine/generated/MachineView";
import type { Outcome } from "../../src/engine/generated/Outcome";
import type { StepView } from "../../src/engine/generated/StepView";
import type { StructureView } from "../../src/engine/generated/StructureView";
import type { TranslationView } from "../../src/engine/generated/TranslationView";
import { pageSize } from "../../src/model/shared/format";
import { hex } from "../../src/model/shared/hex";
import type { ArrayColumns } from "../../src/model/tlb/array";
import { entryBits } from "./entryBits";

const DATA: Kind[] = ["load", "store"];

/** An array that serves all kinds of access, with the lowest bits as its index. */
export function structure(
  name: string,
  role: StructureView["role"],
  sets: number,
  ways: number,
  more: Partial<StructureView> = {},
): StructureView {
  return {
    name,
    role,
    serves: ["fetch", "load", "store"],
    pages: [],
    sets,
    ways,
    index: "low-bits",
    replacement: "lru",
    inside: null,
    ...more,
  };
}

/** Skylake-SP: five first-level arrays, two second-level arrays, three walk caches. */
export const skylake: MachineView = {
  name: "Skylake-SP",
  structures: [
    structure("L1 iTLB 4K", "l1", 16, 8, {
      serves: ["fetch"],
      pages: ["4K"],
      replacement: "tree-plru",
    }),
    structure("L1 iTLB 2M", "l1", 1, 8, { serves: ["fetch"], pages: ["2M"] }),
    structure("L1 dTLB 4K", "l1", 16, 4, {
      serves: DATA,
      pages: ["4K"],
      replacement: "tree-plru",
    }),
    structure("L1 dTLB 2M", "l1", 8, 4, { serves: DATA, pages: ["2M"] }),
    structure("L1 dTLB 1G", "l1", 1, 4, { serves: DATA, pages: ["1G"] }),
    structure("STLB", "l2", 128, 12, {
      pages: ["4K", "2M"],
      index: "xor",
      replacement: "mru3-plru4",
    }),
    structure("STLB 1G", "l2", 4, 4, { serves: DATA, pages: ["1G"] }),
    structure("pde", "psc", 8, 4),
    structure("pdpte", "psc", 1, 4),
    structure("pml4e", "psc", 1, 2),
  ],
  virt: "native",
  tables: "x86",
  levels: 4,
  host_levels: null,
  va_bits: 48,
  walkers: 1,
  offset_bits: 12,
  page_sizes: ["4K", "2M", "1G"],
  memory: [
    ["L1D", 4],
    ["L2", 14],
    ["L3", 60],
    ["DRAM", 200],
  ],
};

/** The worked example with 57 address bits. */
export const fiveLevels: MachineView = {
  ...skylake,
  name: "Ice Lake, 5 levels",
  virt: "native",
  tables: "x86",
  levels: 5,
  host_levels: null,
  va_bits: 57,
  walkers: 1,
  structures: [...skylake.structures, structure("pml5e", "psc", 1, 2)],
};

/** PDEs live in the level-2 array, which has no second name; PDPTEs and PML4Es share a cache. */
export const zen: MachineView = {
  ...skylake,
  name: "Zen 2",
  structures: [
    structure("L1 iTLB", "l1", 1, 64, {
      serves: ["fetch"],
      pages: ["4K", "2M", "1G"],
    }),
    structure("L1 dTLB", "l1", 1, 64, {
      serves: DATA,
      pages: ["4K", "2M", "1G"],
    }),
    structure("L2 iTLB", "l2", 128, 8, {
      serves: ["fetch"],
      pages: ["4K", "2M"],
    }),
    structure("L2 dTLB", "l2", 256, 8, { serves: DATA, pages: ["4K", "2M"] }),
    structure("pde", "psc", 256, 8, { inside: 3 }),
    structure("upper", "psc", 1, 64),
  ],
  memory: [
    ["L1D", 4],
    ["L2", 12],
    ["L3", 39],
    ["DRAM", 200],
  ],
};

/** 14-bit addresses, 64-byte pages, one table, no second level: a machine for the blackboard. */
export const teaching: MachineView = {
  name: "small memory system",
  structures: [structure("TLB", "l1", 4, 4, { pages: ["64"] })],
  virt: "native",
  tables: "x86",
  levels: 1,
  host_levels: null,
  va_bits: 14,
  walkers: 1,
  offset_bits: 6,
  page_sizes: ["64"],
  memory: [["memory", 10]],
};

interface TableSpec {
  readonly name: string;
  readonly table: string;
  readonly value: string;
}

export interface Spec {
  readonly machine?: MachineView;
  readonly address: string;
  readonly pageShift?: number;
  readonly frame: string;
  /** The tables from the root to the leaf. */
  readonly tables: readonly TableSpec[];
  /** Index bits, from the root. */
  readonly indexBits?: readonly number[];
  readonly outcome: Outcome;
  /** The caches that served the reads: one name for each table read, the last for the leaf entry. */
  readonly served?: readonly string[];
  readonly tlb: readonly LookupView[];
  readonly psc?: readonly LookupView[];
  readonly fills?: readonly FillView[];
  readonly overhead?: number;
  readonly l2Hit?: number;
}

export function lookup(
  structure: number,
  set: number,
  way: number | null,
  key: string,
  key_shift: number,
): LookupView {
  return { structure, hit: way !== null, set, way, key, key_shift };
}

export function fill(
  structure: number,
  set: number,
  way: number,
  key: string,
  key_shift: number,
  evicted: EntryView | null = null,
): FillView {
  return { structure, set, way, key, key_shift, evicted };
}

/** Returns neighbours of an entry, of which some are in use. Equal arguments give equal neighbours. */
function neighboursOf(index: number, entries: number, table: bigint) {
  return [-2, -1, 1, 2]
    .map((at) => index + at)
    .filter((at) => at >= 0 && at < entries)
    .map((at) => ({
      index: at,
      value:
        (at * 7 + Number(table >> 12n)) % 3 === 0
          ? "0x0"
          : hex(table + BigInt(at) * 0x1000n + 0x67n),
    }));
}

export function translation(spec: Spec): TranslationView {
  const {
    machine = skylake,
    address,
    pageShift = 12,
    outcome,
    tables,
    served = [],
  } = spec;
  const walked = outcome === "walk" || outcome === "fault";
  const indexBits = spec.indexBits ?? tables.map(() => 9);
  let shift = pageShift + indexBits.reduce((sum, bits) => sum + bits, 0);
  const levels = tables.map(({ name, table, value }, at): LevelView => {
    const bits = indexBits[at] ?? 9;
    shift -= bits;
    const index = Number(
      BigInt.asUintN(bits, BigInt(address) >> BigInt(shift)),
    );
    const order = at - (tables.length - served.length);
    const read = walked && order >= 0;
    const by = read ? (served[order] ?? "DRAM") : null;
    return {
      level: machine.levels - at,
      table_name: name,
      table,
      index,
      n_entries: 2 ** bits,
      entry_address: hex(BigInt(table) + 8n * BigInt(index)),
      value,
      fields: entryBits(value, {
        leaf: at === tables.length - 1,
        level: machine.levels - at,
        shift,
        offsetBits: machine.offset_bits,
      }),
      leaf: at === tables.length - 1,
      state: read ? "read" : walked ? "skipped-by-psc" : "skipped-by-tlb",
      order: read ? order + 1 : null,
      served_by: by,
      cycles:
        by === null
          ? null
          : (machine.memory.find(([cache]) => cache === by)?.[1] ?? 200),
      bits,
      shift,
      neighbours: neighboursOf(index, 2 ** bits, BigInt(table)),
    };
  });
  const references = levels.reduce(
    (sum, level) => sum + (level.cycles ?? 0),
    0,
  );
  const walk_overhead = walked ? (spec.overhead ?? 8) : 0;
  const { l2Hit = 9 } = spec;
  const asksLevel2 = spec.tlb.some(
    ({ structure }) => machine.structures[structure]?.role === "l2",
  );
  const l2_hit = outcome === "l2-hit" ? l2Hit : 0;
  const l2_miss = walked && asksLevel2 ? l2Hit : 0;
  const offset = BigInt.asUintN(pageShift, BigInt(address));
  return {
    address,
    page_size: pageSize(pageShift),
    page_shift: pageShift,
    page_number: hex(BigInt(address) >> BigInt(pageShift)),
    outcome,
    tlb: [...spec.tlb],
    psc: [...(spec.psc ?? [])],
    fills: [...(spec.fills ?? [])],
    left: [],
    levels,
    refs: walked ? served.length : 0,
    ad_updates: 0,
    physical: hex((BigInt(spec.frame) << BigInt(pageShift)) + offset),
    frame: spec.frame,
    cycles: {
      l2_hit,
      l2_miss,
      walk_overhead,
      references,
      total: l2_hit + l2_miss + walk_overhead + references,
    },
    nested: null,
  };
}

export function step(
  translations: TranslationView[],
  more: Partial<StepView["access"]> = {},
  machine: MachineView = skylake,
): StepView {
  const [first] = translations;
  return {
    index: 12_345,
    access: {
      kind: "load",
      address: first?.address ?? "0x0",
      size: 8,
      pid: 0,
      tid: 0,
      cpu: 0,
      ip: "0x4011ad",
      ...more,
    },
    translations,
    outcome: first?.outcome ?? "l1-hit",
    in_use: machine.structures.map(({ sets, ways }) =>
      Math.ceil((sets * ways) / 2),
    ),
    table_pages: 31,
    root: first?.levels[0]?.table ?? "0x1000",
    exception: null,
    before: [],
    after: [],
  };
}

/** Empty columns of one structure. */
export function emptyColumns({ sets, ways }: StructureView): ArrayColumns {
  const slots = sets * ways;
  return {
    keys: new BigUint64Array(slots),
    keyShift: new Uint8Array(slots),
    table: new Uint8Array(slots),
    filledAt: new Uint32Array(slots),
    usedAt: new Uint32Array(slots),
    hits: new Uint32Array(slots),
    next: new Uint16Array(sets),
  };
}

/** Returns a generator of pseudo-random numbers, which are the same on every machine. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns columns in which `share` of each set's ways are in use, with pages of the set and ages from 0 to `now`. */
export function filledColumns(
  structure: StructureView,
  {
    share = 1,
    keyShift = 12,
    now = 12_345,
    base = 0x7f3a1b000n,
    seed = 1,
  } = {},
): ArrayColumns {
  const columns = emptyColumns(structure);
  const { sets, ways } = structure;
  const random = generator(seed);
  for (let set = 0; set < sets; set++) {
    const used = share >= 1 ? ways : Math.floor(random() * ways * 2 * share);
    let oldest = Infinity;
    for (let way = 0; way < Math.min(used, ways); way++) {
      const slot = set * ways + way;
      const tag = BigInt(Math.floor(random() * 256));
      const high = structure.index === "xor" ? tag % BigInt(sets) : 0n;
      columns.keys[slot] =
        (base / BigInt(sets) + tag) * BigInt(sets) + (BigInt(set) ^ high);
      columns.keyShift[slot] = keyShift;
      columns.usedAt[slot] = Math.floor(now * (1 - random() ** 2));
      columns.filledAt[slot] = Math.floor(
        (columns.usedAt[slot] ?? 0) * random(),
      );
      columns.hits[slot] = Math.floor(random() ** 3 * 300);
      const at = columns.usedAt[slot] ?? 0;
      if (at < oldest) {
        oldest = at;
        columns.next[set] = way;
      }
    }
    if (used < ways) columns.next[set] = used;
  }
  return columns;
}

/** Puts one entry into a slot. */
export function put(
  columns: ArrayColumns,
  slot: number,
  entry: {
    key: bigint;
    keyShift?: number;
    table?: boolean;
    filledAt?: number;
    usedAt?: number;
    hits?: number;
  },
): void {
  columns.keys[slot] = entry.key;
  columns.keyShift[slot] = entry.keyShift ?? 12;
  columns.table[slot] = entry.table ? 1 : 0;
  columns.filledAt[slot] = entry.filledAt ?? 0;
  columns.usedAt[slot] = entry.usedAt ?? 0;
  columns.hits[slot] = entry.hits ?? 0;
}

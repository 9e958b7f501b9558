/** The accesses that the pictures are tested with, each with the machine it ran on and its arrays. */
import type { MachineView } from "../../src/engine/generated/MachineView";
import type { StepView } from "../../src/engine/generated/StepView";
import type { ArrayColumns } from "../../src/model/tlb/array";
import {
  emptyColumns,
  fill,
  filledColumns,
  fiveLevels,
  lookup,
  put,
  skylake,
  step,
  teaching,
  translation,
  zen,
} from "./fixtures";
import type { Spec } from "./fixtures";

export interface Scene {
  readonly machine: MachineView;
  readonly step: StepView;
  readonly columns: readonly ArrayColumns[];
}

const VA = "0x7f3a1c2b5e48";
const PAGE = "0x7f3a1c2b5";

const TABLES: Spec["tables"] = [
  { name: "PML4", table: "0x1a3c000", value: "0x2b4d067" },
  { name: "PDPT", table: "0x2b4d000", value: "0x3e12067" },
  { name: "PD", table: "0x3e12000", value: "0x5f07067" },
  { name: "PT", table: "0x5f07000", value: "0x800000001388b067" },
];

const missed = [
  lookup(2, 5, null, PAGE, 12),
  lookup(3, 1, null, "0x3f9d0e1", 21),
  lookup(4, 0, null, "0x1fce87", 30),
  lookup(5, 48, null, PAGE, 12),
  lookup(6, 0, null, "0x1fce87", 30),
];

const evicted = {
  key: "0x7f3a1b8b5",
  key_shift: 12,
  table: false,
  space: 0,
  filled_at: 10_681,
  used_at: 10_681,
  hits: 0,
};

const tlbFills = [fill(5, 48, 3, PAGE, 12), fill(2, 5, 3, PAGE, 12, evicted)];

/** Skylake-SP's arrays in the state of the worked example. */
function skylakeColumns(): ArrayColumns[] {
  const columns = skylake.structures.map((structure, at) =>
    at === 2
      ? filledColumns(structure, { seed: 7 })
      : at === 5
        ? filledColumns(structure, { share: 0.2, seed: 5 })
        : emptyColumns(structure),
  );
  const [itlb, , dtlb, , , stlb, , pde, pdpte, pml4e] = columns;
  if (!itlb || !dtlb || !stlb || !pde || !pdpte || !pml4e)
    throw new Error("a machine of ten structures");
  const now = { filledAt: 12_345, usedAt: 12_345 };
  for (const [slot, key] of [
    [0, 0x400n],
    [8, 0x401n],
    [9, 0x411n],
    [16, 0x402n],
    [24, 0x7f3a1d003n],
    [120, 0x40fn],
    [32, 0x404n],
  ] as const)
    put(itlb, slot, {
      key,
      filledAt: 120 + slot,
      usedAt: 11_000 + slot * 9,
      hits: 40 + slot,
    });
  put(dtlb, 5 * 4 + 3, { key: 0x7f3a1c2b5n, ...now });
  dtlb.next[5] = 0;
  const set = 48 * 12;
  [0x7f3a1b840n, 0x7f3a1bc48n, 0x7f3a1ba44n].forEach((key, way) =>
    put(stlb, set + way, {
      key,
      filledAt: 900 + way,
      usedAt: 2_000 + way * 300,
      hits: way,
    }),
  );
  put(stlb, set + 3, { key: 0x7f3a1c2b5n, ...now });
  for (let way = 4; way < 12; way++) stlb.keyShift[set + way] = 0;
  stlb.next[48] = 4;
  put(stlb, 20 * 12 + 3, {
    key: 0x3f9d0en,
    keyShift: 21,
    filledAt: 77,
    usedAt: 9_001,
    hits: 3,
  });
  const prefix = 0x7f3a1c2b5e48n >> 21n;
  put(pde, 1 * 4, {
    key: prefix,
    keyShift: 21,
    filledAt: 9_800,
    usedAt: 12_345,
    hits: 31,
  });
  [0x3f9d0dbn, 0x3f9d0dcn, 0x2n, 0x3n].forEach((key, at) =>
    put(pde, Number(key % 8n) * 4 + 1, {
      key,
      keyShift: 21,
      filledAt: at * 99,
      usedAt: 9_000 + at,
      hits: at * 5,
    }),
  );
  [0x7f3a1c2b5e48n >> 30n, 0n, (0x7f3a1c2b5e48n >> 30n) + 1n].forEach(
    (key, slot) =>
      put(pdpte, slot, {
        key,
        keyShift: 30,
        filledAt: slot * 40,
        usedAt: 8_000 + slot,
        hits: 3 + slot,
      }),
  );
  put(pml4e, 0, {
    key: 0x7f3a1c2b5e48n >> 39n,
    keyShift: 39,
    filledAt: 3,
    usedAt: 8_000,
    hits: 5,
  });
  pml4e.next[0] = 1;
  return columns;
}

const IN_USE = [7, 0, 64, 0, 0, 318, 0, 5, 3, 1];

const missedBig = missed.map((each) =>
  each.structure === 5 ? lookup(5, 125, null, "0x3f9d0e1", 21) : each,
);

function skylakeScene(built: StepView): Scene {
  return {
    machine: skylake,
    step: { ...built, in_use: IN_USE },
    columns: skylakeColumns(),
  };
}

/** The default fields of an access to the page of the worked example. */
const PAGE_OF_4K = {
  address: VA,
  frame: "0x1388b",
  tables: TABLES,
  tlb: missed,
  fills: tlbFills,
};

function access(more: Pick<Spec, "outcome"> & Partial<Spec>): Scene {
  return skylakeScene(step([translation({ ...PAGE_OF_4K, ...more })]));
}

/** The worked example: the PDE cache hits, one reference. */
export const pdeHit = access({
  outcome: "walk",
  served: ["L2"],
  psc: [lookup(7, 1, 0, "0x3f9d0e1", 21)],
});

/** No translation is cached, and the access is the first touch of its page. */
export const coldFault = access({
  outcome: "fault",
  served: ["DRAM", "L3", "L2", "L1D"],
  psc: [
    lookup(7, 1, null, "0x3f9d0e1", 21),
    lookup(8, 0, null, "0x1fce87", 30),
    lookup(9, 0, null, "0xfe", 39),
  ],
  fills: [
    fill(9, 0, 0, "0xfe", 39),
    fill(8, 0, 0, "0x1fce87", 30),
    fill(7, 1, 0, "0x3f9d0e1", 21),
    ...tlbFills,
  ],
});

/** The PDE cache missed and the PDPTE cache hit: two references. */
export const pdpteHit = access({
  outcome: "walk",
  served: ["L3", "DRAM"],
  psc: [lookup(7, 1, null, "0x3f9d0e1", 21), lookup(8, 0, 0, "0x1fce87", 30)],
  fills: [fill(7, 1, 0, "0x3f9d0e1", 21), ...tlbFills],
});

/** The PML4E cache hit, so only the root table was skipped. */
export const pml4eHit = access({
  outcome: "walk",
  served: ["L1D", "L3", "DRAM"],
  psc: [
    lookup(7, 1, null, "0x3f9d0e1", 21),
    lookup(8, 0, null, "0x1fce87", 30),
    lookup(9, 0, 0, "0xfe", 39),
  ],
  fills: [
    fill(8, 0, 0, "0x1fce87", 30),
    fill(7, 1, 0, "0x3f9d0e1", 21),
    ...tlbFills,
  ],
});

export const l1Hit = access({
  outcome: "l1-hit",
  tlb: [lookup(2, 5, 3, PAGE, 12), ...missed.slice(1, 3)],
  fills: [],
});

export const l2Hit = access({
  outcome: "l2-hit",
  tlb: [
    ...missed.slice(0, 3),
    lookup(5, 48, 3, PAGE, 12),
    lookup(6, 0, null, "0x1fce87", 30),
  ],
  fills: [fill(2, 5, 3, PAGE, 12, evicted)],
});

/** A machine whose first level serves only loads, so a store looks up level 2 first. */
const loadsFirst: MachineView = {
  ...skylake,
  structures: skylake.structures.map((view) =>
    view.role === "l1" && view.serves.includes("store")
      ? { ...view, serves: ["load"] }
      : view,
  ),
};

export const storeAtLevel2: Scene = {
  ...skylakeScene(
    step(
      [
        translation({
          machine: loadsFirst,
          address: VA,
          frame: "0x1388b",
          tables: TABLES,
          outcome: "l2-hit",
          l2Hit: 0,
          tlb: [lookup(5, 48, 3, PAGE, 12), lookup(6, 0, null, "0x1fce87", 30)],
        }),
      ],
      { kind: "store" },
    ),
  ),
  machine: loadsFirst,
};

/** A 2M page: the PD entry is the leaf. */
export const bigPage = skylakeScene(
  step([
    translation({
      address: VA,
      pageShift: 21,
      frame: "0x9c",
      tables: [
        ...TABLES.slice(0, 2),
        { name: "PD", table: "0x3e12000", value: "0x80000000138000e7" },
      ],
      outcome: "walk",
      served: ["L2", "L1D"],
      tlb: missedBig,
      psc: [
        lookup(7, 1, null, "0x3f9d0e1", 21),
        lookup(8, 0, null, "0x1fce87", 30),
        lookup(9, 0, 0, "0xfe", 39),
      ],
      fills: [
        fill(8, 0, 0, "0x1fce87", 30),
        fill(5, 125, 0, "0x3f9d0e1", 21),
        fill(3, 1, 0, "0x3f9d0e1", 21),
      ],
    }),
  ]),
);

{
  const now = { filledAt: 12_345, usedAt: 12_345, keyShift: 21 };
  const [, , , big, , stlb] = bigPage.columns;
  if (big && stlb) {
    put(big, 4, { key: 0x3f9d0e1n, ...now });
    big.next[1] = 1;
    put(stlb, 125 * 12, { key: 0x3f9d0e1n, ...now });
  }
}

/** A 1G page, the first touch. */
export const hugePage = skylakeScene(
  step([
    translation({
      address: VA,
      pageShift: 30,
      frame: "0x40",
      tables: [
        ...TABLES.slice(0, 1),
        { name: "PDPT", table: "0x2b4d000", value: "0x80000010000000e7" },
      ],
      outcome: "fault",
      served: ["DRAM", "DRAM"],
      tlb: missed,
      psc: [lookup(9, 0, null, "0xfe", 39)],
      fills: [
        fill(9, 0, 1, "0xfe", 39),
        fill(6, 3, 0, "0x1fce87", 30),
        fill(4, 0, 0, "0x1fce87", 30),
      ],
    }),
  ]),
);

{
  const now = { filledAt: 12_345, usedAt: 12_345, keyShift: 30 };
  const [, , , , huge, , second] = hugePage.columns;
  if (huge && second) {
    put(huge, 0, { key: 0x1fce87n, ...now });
    huge.next[0] = 1;
    put(second, 12, { key: 0x1fce87n, ...now });
    second.next[3] = 1;
  }
}

/** A load of 8 bytes whose last 4 lie in the next page. */
export const straddle = skylakeScene(
  step([
    translation({
      address: "0x7f3a1c2b4ffc",
      frame: "0x13890",
      tables: [
        ...TABLES.slice(0, 3),
        { name: "PT", table: "0x5f07000", value: "0x8000000013890067" },
      ],
      outcome: "l1-hit",
      tlb: [lookup(2, 4, 1, "0x7f3a1c2b4", 12), ...missed.slice(1, 3)],
    }),
    translation({
      ...PAGE_OF_4K,
      address: "0x7f3a1c2b5003",
      outcome: "walk",
      served: ["L2"],
      psc: [lookup(7, 1, 0, "0x3f9d0e1", 21)],
    }),
  ]),
);

export const fiveLevel: Scene = {
  machine: fiveLevels,
  step: step(
    [
      translation({
        machine: fiveLevels,
        address: "0x1a27f3a1c2b5e48",
        frame: "0x1000388b",
        tables: [
          { name: "PML5", table: "0x1000", value: "0x1a3c067" },
          ...TABLES,
        ],
        outcome: "walk",
        served: ["L3", "L2", "L2"],
        tlb: missed,
        psc: [
          lookup(7, 1, null, "0xd13f9d0e1", 21),
          lookup(8, 0, null, "0x689fce8", 30),
          lookup(9, 0, 0, "0x344fe", 39),
        ],
        fills: tlbFills,
      }),
    ],
    {},
    fiveLevels,
  ),
  columns: fiveLevels.structures.map((each) =>
    filledColumns(each, { share: 0.5 }),
  ),
};

/** A PDE that is kept in the level-2 array. */
export const zenWalk: Scene = {
  machine: zen,
  step: step(
    [
      translation({
        machine: zen,
        address: VA,
        frame: "0x1388b",
        tables: TABLES,
        outcome: "walk",
        served: ["L3"],
        tlb: [lookup(1, 0, null, PAGE, 12), lookup(3, 0xb5, null, PAGE, 12)],
        psc: [lookup(4, 0xe1, 2, "0x3f9d0e1", 21)],
        fills: [fill(3, 0xb5, 0, PAGE, 12), fill(1, 0, 9, PAGE, 12)],
        overhead: 0,
        l2Hit: 7,
      }),
    ],
    {},
    zen,
  ),
  columns: zen.structures.map((each, at) =>
    filledColumns(each, { share: at === 1 ? 1 : 0.4, seed: at + 1 }),
  ),
};
{
  const array = zenWalk.columns[3];
  if (array) {
    put(array, 0xb5 * 8, {
      key: 0x7f3a1c2b5n,
      filledAt: 12_345,
      usedAt: 12_345,
    });
    put(array, 0xe1 * 8 + 2, {
      key: 0x3f9d0e1n,
      keyShift: 21,
      table: true,
      filledAt: 300,
      usedAt: 12_345,
      hits: 6,
    });
  }
  const first = zenWalk.columns[1];
  if (first)
    put(first, 9, { key: 0x7f3a1c2b5n, filledAt: 12_345, usedAt: 12_345 });
}

/** VA 0x3d4 of the 14-bit system: VPN 0xf, TLB set 3, physical 0x354. */
export const blackboard: Scene = {
  machine: teaching,
  step: {
    ...step(
      [
        translation({
          machine: teaching,
          address: "0x3d4",
          pageShift: 6,
          indexBits: [8],
          frame: "0xd",
          tables: [{ name: "L1", table: "0x200000", value: "0xd027" }],
          outcome: "walk",
          served: ["memory"],
          tlb: [lookup(0, 3, null, "0xf", 6)],
          fills: [fill(0, 3, 1, "0xf", 6)],
          overhead: 0,
        }),
      ],
      { size: 1, ip: null },
      teaching,
    ),
    in_use: [5],
  },
  columns: teaching.structures.map((each) =>
    filledColumns(each, { share: 0.3, keyShift: 6, base: 0x0n, seed: 3 }),
  ),
};
{
  const array = blackboard.columns[0];
  if (array)
    put(array, 3 * 4 + 1, {
      key: 0xfn,
      keyShift: 6,
      filledAt: 12_345,
      usedAt: 12_345,
    });
}

/** Tests that errors of a mapping name a field of the editor, for the guest and for the host. */
import { afterEach, expect, test } from "vitest";
import { processors } from "../../src/model/config/cpus";
import type { OsConfig } from "../../src/engine/generated/OsConfig";
import type { RegionConfig } from "../../src/engine/generated/RegionConfig";
import type { EngineClient } from "../../src/engine/client";
import { EngineError } from "../../src/engine/engine";
import { isShown } from "../../src/views/config/mappingFields";
import { wasmEngine } from "./wasm";

const PLAIN: OsConfig = { default: "4K", regions: [], frames: "sequential" };
const THP = {
  enabled: "always",
  at_fault: true,
  fragmentation: 0,
  seed: 1,
} as const;
const HUGETEXT = { enabled: 1, pad_threshold: 0 };

const region = (part: Partial<RegionConfig>): Partial<OsConfig> => ({
  regions: [{ start: "0x200000", end: "0x600000", pages: "4K", ...part }],
});

const cases: readonly [field: string, os: Partial<OsConfig>][] = [
  ["default", { default: "3M" }],
  ["default", { default: "64K" }],
  ["default", { default: "hugetlb-4K" }],
  ["regions[0].start", region({ start: "here" })],
  [
    "regions[0].start",
    region({ start: "0x800000000000", end: "0x800000200000" }),
  ],
  ["regions[0].end", region({ end: "0x100000" })],
  ["regions[0].end", region({ pages: "hugetlb-2M", end: "0x500000" })],
  ["regions[0].pages", region({ pages: "16K" })],
  ["regions[0].pages", region({ pages: "thp", kind: "text" })],
  ["regions[0].pages", region({ pages: "hugetext", kind: "heap" })],
  ["regions[0].pages", region({ pages: "hugetlb-2M", kind: "stack" })],
  [
    "regions[0].pages",
    {
      ...region({ pages: "hugetext", kind: "jit" }),
      hugetext: HUGETEXT,
    },
  ],
  ["regions[0].advice", region({ advice: "hugepage" })],
  ["regions[0].offset", region({ offset: "0x1000", kind: "heap" })],
  [
    "regions[0].offset",
    region({ offset: "0x1000", kind: "text", pages: "hugetext" }),
  ],
  ["regions[0].copy_on_write", region({ pretouch: true, copy_on_write: true })],
  ["regions[0].copy_on_write", region({ kind: "shared", copy_on_write: true })],
  ["regions[0].resident", region({ pretouch: true, resident: false })],
  ["regions[0].pretouch", region({ pretouch: true, end: "0x7f0000000000" })],
  [
    "regions[1].start",
    {
      regions: [
        { start: "0x200000", end: "0x600000", pages: "4K" },
        { start: "0x400000", end: "0x800000", pages: "4K" },
      ],
    },
  ],
  [
    "thp.fragmentation",
    { default: "thp", thp: { ...THP, fragmentation: 101 } },
  ],
  [
    "thp.khugepaged.every",
    { default: "thp", thp: { ...THP, khugepaged: { every: 0 } } },
  ],
  [
    "thp.khugepaged.max_ptes_none",
    {
      default: "thp",
      thp: { ...THP, khugepaged: { every: 9, max_ptes_none: 512 } },
    },
  ],
  ["hugetlb[0].size", { hugetlb: [{ size: "4K", pages: 1 }] }],
  [
    "hugetlb[1].size",
    {
      hugetlb: [
        { size: "2M", pages: 1 },
        { size: "2M", pages: 1 },
      ],
    },
  ],
  [
    "regions[0].pages",
    { ...region({ pages: "hugetlb-2M" }), hugetlb: [{ size: "2M", pages: 1 }] },
  ],
  ["hugetext.enabled", { hugetext: { ...HUGETEXT, enabled: 4 } }],
  [
    "hugetext.pad_threshold",
    { hugetext: { ...HUGETEXT, pad_threshold: 2 ** 21 } },
  ],
];

/** A host has none of these at all. */
const ofGuests: readonly [field: string, os: Partial<OsConfig>][] = [
  [
    "hugetext.adaptive.every",
    { hugetext: { ...HUGETEXT, adaptive: { every: 0 } } },
  ],
  [
    "hugetext.adaptive.step",
    { hugetext: { ...HUGETEXT, adaptive: { every: 1, step: 0 } } },
  ],
];

let engine: EngineClient;
afterEach(() => engine.dispose());

/** Returns the field of a mapping's error, as the editor names it. */
async function fieldOf(os: OsConfig): Promise<string> {
  const [cpu] = processors(await engine.call("cpus", {}));
  if (!cpu) throw new Error("There is no CPU.");
  try {
    await engine.call("configure", { machine: cpu.machine, os });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(error.message).not.toBe("");
    return error.at && "field" in error.at ? error.at.field : "";
  }
  return "accepted";
}

test("contradictions_are_told_at_their_fields", async () => {
  engine = wasmEngine();
  const found: [string, string][] = [];
  for (const [, part] of cases) {
    const own = { ...PLAIN, ...part };
    const guest = await fieldOf(own);
    const host = await fieldOf({ ...PLAIN, virt: "ept", host: own });
    found.push([guest, host]);
  }
  expect(found).toEqual(
    cases.map(([field]) => [`os.${field}`, `os.host.${field}`]),
  );
  const shared = { ...PLAIN, upper_half: "shared" } as const;
  expect(await fieldOf({ ...shared, virt: "shadow" })).toBe("os.upper_half");
  for (const [field, part] of ofGuests) {
    const own = { ...PLAIN, ...part };
    expect(await fieldOf(own)).toBe(`os.${field}`);
    expect(await fieldOf({ ...PLAIN, virt: "ept", host: own })).toBe(
      "os.host.hugetext.adaptive",
    );
  }
});

test.each([...new Set(cases.map(([field]) => field)), "upper_half"])(
  "the_editor_has_a_place_for_%s",
  (field) => {
    expect(isShown(`os.${field}`, "guest")).toBe(true);
    expect(isShown(`os.host.${field}`, "host")).toBe(true);
    // Errors of the other side are shown above the form.
    expect(isShown(`os.${field}`, "host")).toBe(false);
    expect(isShown(`os.host.${field}`, "guest")).toBe(false);
  },
);

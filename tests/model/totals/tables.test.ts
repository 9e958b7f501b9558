import { expect, test } from "vitest";
import type { MachineView } from "../../../src/engine/generated/MachineView";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import { runTables } from "../../../src/model/totals/tables";
import { skylake } from "../../pictures/fixtures";
import { report } from "../../pictures/runData";

/** A line for each row: `first touch: 2,860`. */
function text(title: string, run: RunReport, machine: MachineView = skylake) {
  const table = runTables(run, machine).find((each) => each.title === title);
  return table?.rows.map(({ label, cells }) => `${label}: ${cells.join(" ")}`);
}

test("translations_are_told_by_kind_and_prefetches_apart", () => {
  expect(text("Translations", report)).toEqual([
    "fetch: 255,400 254,900 402 98",
    "load: 96,602 88,400 6,100 2,102",
    "store: 47,100 42,945 2,763 1,392",
  ]);
  const trace = { ...report.trace, prefetch: 3 };
  expect(text("Translations", { ...report, trace })).toHaveLength(4);
});

test("pages_are_told_by_size_with_their_memory", () => {
  const pages = { "1G": 0, "2M": 3, "4K": 10, table_pages: 14 };
  expect(text("Pages", { ...report, pages })).toEqual([
    "mapped, 4K: 10 40.0 KiB",
    "mapped, 2M: 3 6.0 MiB",
    "page tables: 14 56.0 KiB",
  ]);
});

test("waste_is_told_only_where_somebody_counted_it", () => {
  const { used_bytes, waste_bytes, ...memory } = report.memory;
  expect([used_bytes, waste_bytes]).toEqual([11_714_560, 0]);
  expect(text("Memory at the end", { ...report, memory })).toEqual([
    "mapped: 11.2 MiB 100 %",
    "page tables: 56.0 KiB 0.49 %",
  ]);
});

test("faults_are_told_by_cause_and_bus_errors_where_there_are_any", () => {
  expect(text("Page faults", report)).toEqual([
    "minor: 2,860",
    "first touch: 2,860",
    "shared: 0",
    "copy on write: 0",
    "major: 0",
    "swap in: 0",
  ]);
  const faults = { ...report.faults, bus_errors: 7 };
  expect(text("Page faults", { ...report, faults })?.at(-1)).toBe(
    "bus errors: 7",
  );
});

test("priced_events_have_a_table_of_their_own", () => {
  const event_cycles = {
    minor_faults: 3_003_000,
    major_faults: 0,
    vm_exits: 0,
    shootdowns: 0,
    total: 3_003_000,
  };
  const title = "Events outside of translation";
  expect(text(title, { ...report, event_cycles })).toEqual([
    "minor page faults: 2,860 3,003,000",
    "all:  3,003,000",
  ]);
  expect(text(title, report)).toBeUndefined();
});

test("what_did_not_happen_has_no_table", () => {
  const titles = runTables(report, skylake).map(({ title }) => title);
  expect(titles).toEqual([
    "Translations",
    "Walks and cycles",
    "Pages",
    "Memory at the end",
    "Page faults",
  ]);
});

test("what_happened_has_one", () => {
  const run: RunReport = {
    ...report,
    system: { ...report.system, promotions: 2, shootdowns: 2 },
    memory: {
      ...report.memory,
      hugetlb: [{ size: "2M", pages: 64, free: 60 }],
    },
    invalidations: {
      ops: { invlpg: 5 },
      switches: 0,
      tlb_entries: 4,
      walk_cache_entries: 3,
      host_entries: 6,
    },
    exceptions: {
      general_protection: 1,
      page_faults: { "0x7": 2 },
      ept_misconfigurations: 1,
    },
    cores: [
      { id: 41, accesses: 9, l1_hits: 8, l2_hits: 0, walks: 1, cycles: 208 },
    ],
  };
  expect(text("Promotions and changed mappings", run)?.[0]).toBe(
    "promotions: 2",
  );
  expect(text("Pools of hugetlbfs", run)).toEqual(["2M: 64 4 60"]);
  expect(text("Operations and invalidations", run)).toEqual([
    "invlpg: 5",
    "process switches: 0",
    "TLB entries invalidated by these: 4",
    "walk cache entries invalidated by these: 3",
    "host-side entries invalidated: 6",
  ]);
  expect(text("Exceptions", run)).toEqual([
    "#GP: 1",
    "#PF 0x7: 2",
    "EPT misconfiguration: 1",
  ]);
  expect(text("Cores", run)).toEqual(["core 41: 9 8 0 1 208"]);
});

/** The host's counters for a virtual machine. */
const virt: NonNullable<RunReport["virt"]> = {
  mode: "ept",
  exits: {
    total: 8,
    ept_violations: 5,
    ept_misconfigurations: 0,
    log_full: 0,
    vm_switches: 0,
    flushes: 0,
    page_table_writes: 0,
    cr3_loads: 2,
    invlpg: 1,
    hidden_faults: 0,
  },
  ept_violations: 5,
  ept_accessed: 0,
  ept_dirty: 0,
  pml_entries: 0,
  pml_full_exits: 0,
  host_faults: report.faults,
  host_system: report.system,
  host_pretouched_pages: 0,
  host_pages: { "4K": 5, table_pages: 4 },
};

test.each([
  ["x86", "EPT violations: 5", "loads of CR3: 2", "INVLPG and INVPCID: 1"],
  [
    "arm",
    "stage 2 faults: 5",
    "writes of TTBR0: 2",
    "TLBI of one address or ASID: 1",
  ],
] as const)("exits_are_told_in_words_of_%s", (tables, ...rows) => {
  const machine = { ...skylake, tables };
  expect(text("Exits to the host", { ...report, virt }, machine)).toEqual([
    "all: 8",
    ...rows,
  ]);
});

test("an_array_is_looked_up_for_the_pages_that_it_can_hold", () => {
  const array = { lookups: 100, hits: 3, misses: 1 };
  const rest = { fills: 1, evictions: 0, invalidations: 0 };
  const structures = [{ name: "", level: 1, ...array, ...rest }];
  expect(text("TLB arrays", { ...report, structures })).toEqual([
    "L1 iTLB 4K: 4 3 75.0 % 1 0 0",
  ]);
});

test("walk_caches_of_an_arm_host_are_called_after_its_stage", () => {
  const counts = { lookups: 4, hits: 1, fills: 0, evictions: 0 };
  const walks = {
    ...report.walks,
    psc: [],
    ept_psc: [{ name: "ept pde", ...counts }],
  };
  const named = (tables: MachineView["tables"]) =>
    text("Walk caches", { ...report, walks }, { ...skylake, tables });
  expect(named("x86")).toEqual(["EPT PDE cache: 4 1 25.0 %"]);
  expect(named("arm")).toEqual(["stage 2 L2 walk cache: 4 1 25.0 %"]);
});

test("prefetches_of_tlb_entries_have_a_table_if_the_machine_makes_any", () => {
  expect(text("TLB prefetches", report)).toBeUndefined();
  const tlb_prefetch = {
    issued: 1_200,
    useful: 900,
    useless: 250,
    unmapped: 3,
    without_ip: 0,
    refs: 1_300,
    cycles: 30_000,
  };
  const rows = [
    "walks that prefetched: 1,200",
    "useful: 900",
    "evicted unused: 250",
    "references: 1,300",
    "pages not mapped: 3",
  ];
  expect(text("TLB prefetches", { ...report, tlb_prefetch })).toEqual(rows);
  const unknown = { ...tlb_prefetch, without_ip: 7 };
  expect(text("TLB prefetches", { ...report, tlb_prefetch: unknown })).toEqual([
    ...rows,
    "misses without an instruction: 7",
  ]);
});

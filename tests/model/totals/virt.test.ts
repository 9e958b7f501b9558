import { expect, test } from "vitest";
import type { RunReport } from "../../../src/engine/generated/RunReport";
import type { TableFormat } from "../../../src/engine/generated/TableFormat";
import { refsPerWalk, shadowExits } from "../../../src/model/totals/virt";
import { report } from "../../pictures/runData";

const noExits = {
  total: 0,
  ept_violations: 0,
  ept_misconfigurations: 0,
  log_full: 0,
  vm_switches: 0,
  flushes: 0,
  page_table_writes: 0,
  cr3_loads: 0,
  invlpg: 0,
  hidden_faults: 0,
};

const cache = { fills: 0, evictions: 0 };

test("a_native_run_has_no_references_of_a_host", () => {
  expect(refsPerWalk(report)).toBeNull();
});

const nested: RunReport = {
  ...report,
  walks: {
    ...report.walks,
    walks: 100,
    refs: 940,
    guest_refs: 300,
    host_refs: 640,
    nested_tlb: { name: "nested_tlb", lookups: 400, hits: 300, ...cache },
    ept_psc: [{ name: "pde", lookups: 200, hits: 150, ...cache }],
  },
  virt: {
    mode: "ept",
    exits: { ...noExits, total: 2_100, ept_violations: 2_100 },
    ept_violations: 2_100,
    ept_accessed: 5,
    ept_dirty: 7,
    pml_entries: 7,
    pml_full_exits: 0,
    host_faults: report.faults,
    host_system: report.system,
    host_pretouched_pages: 0,
    host_pages: { "4K": 2_100, "2M": 0, table_pages: 9 },
  },
};

test("references_are_told_by_dimension_with_what_saved_others", () => {
  const total = refsPerWalk(nested);
  expect(total).toMatchObject({ label: "references", value: "9.40" });
  expect(total?.formula).toEqual([
    "entries read by all walks ÷ walks",
    "guest 300 + host 640 = 940",
    "940 ÷ 100 walks = 9.40",
    "nested TLB: 300 of 400 lookups hit, 75.0 %",
    "EPT PDE cache: 150 of 200 lookups hit, 75.0 %",
    "2,100 EPT violations",
    "host pages 2,100 × 4K, 9 table pages",
    "7 entries of the page-modification log, 0 exits because it was full",
  ]);
});

test("only_intels_processors_have_a_log", () => {
  const found = (tables: TableFormat) =>
    refsPerWalk(nested, { tables })?.formula.join("\n");
  expect(found("x86")).toContain("page-modification log");
  expect(found("amd")).not.toContain("log");
  expect(found("arm")).not.toContain("log");
});

test("shadow_paging_is_told_by_its_exits", () => {
  const shadowed = {
    ...report,
    trace: { ...report.trace, accesses: 50_000 },
    virt: {
      mode: "shadow" as const,
      ept_violations: 0,
      ept_accessed: 0,
      ept_dirty: 0,
      pml_entries: 0,
      pml_full_exits: 0,
      host_faults: report.faults,
      host_system: report.system,
      exits: {
        ...noExits,
        total: 430,
        page_table_writes: 215,
        cr3_loads: 12,
        invlpg: 3,
        hidden_faults: 200,
      },
      host_pretouched_pages: 0,
      host_pages: { "4K": 200, table_pages: 15 },
    },
  };
  expect(refsPerWalk(shadowed)).toBeNull();
  expect(shadowExits(report)).toBeNull();
  const total = shadowExits(shadowed);
  expect(total).toMatchObject({ label: "exits", value: "8.60" });
  expect(total?.formula).toEqual([
    "exits to the host ÷ accesses × 1,000",
    "215 guest writes to page tables, which are always write-protected",
    "200 hidden faults",
    "12 loads of CR3, 3 INVLPG",
    "430 ÷ 50,000 × 1,000 = 8.60",
    "15 shadow table pages",
  ]);
});

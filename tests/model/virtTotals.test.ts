import { expect, test } from "vitest";
import { refsPerWalk } from "../../src/model/virtTotals";
import { report } from "../pictures/runData";

const cache = { fills: 0, evictions: 0 };

test("a_native_run_has_no_references_of_a_host", () => {
  expect(refsPerWalk(report)).toBeNull();
});

test("references_are_told_by_dimension_with_what_saved_others", () => {
  const total = refsPerWalk({
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
      ept_violations: 2_100,
      ept_accessed: 5,
      ept_dirty: 7,
      pml_entries: 7,
      pml_full_exits: 0,
      host_pages: { "4K": 2_100, "2M": 0, table_pages: 9 },
    },
  });
  expect(total).toMatchObject({ label: "references", value: "9.40" });
  expect(total?.formula).toEqual([
    "entries read by all walks ÷ walks",
    "guest 300 + host 640 = 940",
    "940 ÷ 100 walks = 9.40",
    "nested TLB: 300 of 400 lookups hit, 75.0 %",
    "EPT PDE cache: 150 of 200 lookups hit, 75.0 %",
    "2,100 EPT violations",
    "host pages 2,100 × 4K, 9 table pages",
    "7 entries of the page-modification log, 0 exits as it was full",
  ]);
});

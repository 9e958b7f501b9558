/** Tables about the host of a virtual machine: its exits, its work and its pages. */
import type { RunReport } from "../../engine/generated/RunReport";
import type { Words } from "../words/vocabulary";
import { pagesTable } from "./memory";
import { one, oneColumn } from "./rows";
import type { TotalsTable } from "./rows";

/** The tables of the host; none for a native run. */
export function hostTables({ virt }: RunReport, words: Words): TotalsTable[] {
  if (!virt) return [];
  const { exits } = virt;
  const exitsTable = oneColumn("Exits to the host", [
    one("all", exits.total),
    ...[
      one(
        words.violation[1],
        exits.ept_violations,
        "Entries that were not present or lacked a permission.",
      ),
      one(
        words.misconfiguration[1],
        exits.ept_misconfigurations,
        "Host entries that the processor cannot interpret; the access ended there.",
      ),
      one("log full", exits.log_full, "The page-modification log was full."),
      one(
        "switches of virtual machine",
        exits.vm_switches,
        "The host let another virtual machine run on the core.",
      ),
      one(
        "flushes",
        exits.flushes,
        "The host changed its tables: each core that ran the virtual machine invalidated its translations.",
      ),
      one(
        "page-table writes",
        exits.page_table_writes,
        "Guest writes to page-table entries, which are always write-protected under shadow paging.",
      ),
      one(
        words.rootLoads[1],
        exits.cr3_loads,
        "Switches to other page tables.",
      ),
      one(words.pageDrops, exits.invlpg),
      one(
        "hidden faults",
        exits.hidden_faults,
        "Pages that the guest had mapped but the shadow table had not.",
      ),
    ].filter(({ cells }) => cells[0] !== "0"),
  ]);
  if (virt.mode === "shadow")
    return [
      exitsTable,
      pagesTable("Pages of the shadow table", virt.host_pages, ""),
    ];
  return [
    exitsTable,
    oneColumn("Host", [
      one(
        words.violation[1],
        virt.ept_violations,
        "Host pages that were missing or lacked a permission.",
      ),
      one("accessed flags set", virt.ept_accessed),
      one(
        "dirty flags set",
        virt.ept_dirty,
        "A read of a guest table counts as a write for the host.",
      ),
      ...(words.hasLog
        ? [
            one("entries of the page-modification log", virt.pml_entries),
            one("exits because the log was full", virt.pml_full_exits),
          ]
        : []),
      ...[
        one(
          "pages copied on write",
          virt.host_faults.copy_on_write,
          "Shared host pages that the guest wrote.",
        ),
        one(
          "pages already in memory",
          virt.host_faults.shared,
          "They only had to be mapped, or given a permission.",
        ),
        one("pages swapped in", virt.host_faults.swap_in),
        one(
          "huge pages made",
          virt.host_system.promotions,
          "By the host’s khugepaged. It unmaps the small pages, so the next use of each is a violation.",
        ),
        one("small pages replaced", virt.host_system.promoted_pages),
        one("no free block", virt.host_system.failed_promotions),
        one(
          "entries invalidated for that",
          virt.host_system.dropped_entries,
          "Of TLB arrays and walk caches, when pages were copied or promoted.",
        ),
      ].filter(({ cells }) => cells[0] !== "0"),
    ]),
    pagesTable("Pages of the host", virt.host_pages, ""),
  ];
}

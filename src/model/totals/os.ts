/** What the operating system and the host did in a run: pages, faults by cause, promotions, invalidations. */
import type { RunReport } from "../../engine/generated/RunReport";
import { memorySize } from "../shared/format";
import type { Words } from "../words/vocabulary";
import { hostTables } from "./host";
import { memoryTable, pagesTable, poolsTable, regionsTable } from "./memory";
import { one, oneColumn } from "./rows";
import type { TotalsTable } from "./rows";

/** Tables with one number per row, except for pages and pools. */
export function memoryTables(
  report: RunReport,
  words: Words,
): readonly TotalsTable[] {
  return [
    pagesTable("Pages", report.pages, memorySize(report.memory.table_bytes)),
    memoryTable(report),
    poolsTable(report),
    faultsTable(report),
    systemTable(report),
    regionsTable(report),
    ...hostTables(report, words),
    invalidationsTable(report, words),
    exceptionsTable(report, words),
  ];
}

function faultsTable({ faults, system }: RunReport): TotalsTable {
  const reused = system.reused_pages;
  const rare = [
    one(
      "hidden",
      faults.hidden,
      "Only the hypervisor sees them, not the guest. They are not counted as minor faults.",
    ),
    one(
      "bus errors",
      faults.bus_errors,
      "Accesses that found a pool of huge pages empty. They ended without a translation.",
    ),
  ].filter(({ cells }) => cells[0] !== "0");
  return oneColumn("Page faults", [
    one("minor", faults.minor, "The page was in memory, or needed no data."),
    one(
      "first touch",
      faults.first_touch,
      "Minor: anonymous memory used for the first time.",
    ),
    one(
      "shared",
      faults.shared,
      "Minor: pages of files or of other processes that were in memory already.",
    ),
    one(
      "copy on write",
      faults.copy_on_write,
      "Minor: private pages written for the first time.",
    ),
    ...(reused > 0
      ? [
          one(
            "of these, kept without a copy",
            reused,
            "No other process had the page any more: after a fork the last owner keeps it.",
          ),
        ]
      : []),
    one("major", faults.major, "The page had to be read from a disk."),
    one(
      "swap in",
      faults.swap_in,
      "Major: from a swap area, or from a file that was not in memory.",
    ),
    ...rare,
  ]);
}

function systemTable({ system }: RunReport): TotalsTable {
  const rows = [
    one(
      "promotions",
      system.promotions,
      "Small pages replaced by huge ones, by khugepaged or for code.",
    ),
    one("small pages replaced", system.promoted_pages),
    ...(system.demotions > 0
      ? [
          one(
            "demotions",
            system.demotions,
            "Huge pages of code split into small ones, because the cap or the hottest code changed.",
          ),
        ]
      : []),
    one(
      "promotions that failed",
      system.failed_promotions,
      "khugepaged found no free block of memory.",
    ),
    one(
      "changed mappings invalidated",
      system.shootdowns,
      "How often a changed mapping was invalidated on each core that may hold it. With other cores, that is a shootdown.",
    ),
    one(
      "their entries",
      system.dropped_entries,
      "Entries of TLB arrays and walk caches that held the changed mappings.",
    ),
  ];
  const isQuiet = rows.every(({ cells }) => cells[0] === "0");
  return oneColumn("Promotions and changed mappings", isQuiet ? [] : rows);
}

function invalidationsTable(
  { invalidations }: RunReport,
  words: Words,
): TotalsTable {
  const { ops, switches, tlb_entries, walk_cache_entries, host_entries } =
    invalidations;
  const rows = [
    ...Object.entries(ops).map(([op, n]) =>
      one(words.counted(op), n, "An operation of the trace."),
    ),
    one(
      "process switches",
      switches,
      "Process changes from one access to the next, without those that the trace has as operations.",
    ),
    one(
      "TLB entries invalidated by these",
      tlb_entries,
      "Those of changed mappings are counted apart.",
    ),
    one("walk cache entries invalidated by these", walk_cache_entries),
    ...(host_entries > 0
      ? [
          one(
            "host-side entries invalidated",
            host_entries,
            `Entries of ${words.nestedTlb}, ${words.host} walk caches and page walk cache.`,
          ),
        ]
      : []),
  ];
  const isQuiet = rows.every(({ cells }) => cells[0] === "0");
  return oneColumn("Operations and invalidations", isQuiet ? [] : rows);
}

function exceptionsTable({ exceptions }: RunReport, words: Words): TotalsTable {
  const { general_protection, page_faults, ept_misconfigurations } = exceptions;
  const addressFaults = Object.entries(exceptions.address_faults ?? {});
  return oneColumn("Exceptions", [
    ...(general_protection > 0
      ? [
          one(
            words.exception("#GP", null),
            general_protection,
            "Addresses that are not canonical.",
          ),
        ]
      : []),
    ...addressFaults.map(([name, n]) =>
      one(name, n, "Addresses that this machine does not translate."),
    ),
    ...Object.entries(page_faults).map(([code, n]) =>
      one(
        words.exception("#PF", code),
        n,
        "Page faults by error code that the kernel could not resolve.",
      ),
    ),
    ...(ept_misconfigurations > 0
      ? [
          one(
            words.misconfiguration[0],
            ept_misconfigurations,
            "Host entries that the processor cannot interpret.",
          ),
        ]
      : []),
  ]);
}

/** What the operating system and the host did in a run: pages, faults by cause, promotions, invalidations. */
import type { RegionSource } from "../../engine/generated/RegionSource";
import type { RunReport } from "../../engine/generated/RunReport";
import { count, memorySize, percentOf } from "../shared/format";
import { policyWord } from "../config/pagePolicies";
import { bytesOf } from "../shared/pageSizes";
import type { Words } from "../words/vocabulary";
import type { TotalsRow, TotalsTable } from "./rows";

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

function table(title: string, rows: readonly TotalsRow[]): TotalsTable {
  return { title, columns: [""], rows };
}

function row(label: string, n: number, help?: string): TotalsRow {
  return { label, cells: [count(n)], ...(help !== undefined && { help }) };
}

/** Pages by size, smallest first, then those of page tables. */
function pagesTable(
  title: string,
  pages: RunReport["pages"],
  tableBytes: string,
): TotalsTable {
  const { table_pages = 0, ...bySize } = pages;
  const sizes = Object.entries(bySize)
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => bytesOf(a) - bytesOf(b));
  return {
    title,
    columns: ["pages", "memory"],
    rows: [
      ...sizes.map(([size, n]) => ({
        label: `mapped, ${size}`,
        cells: [count(n), memorySize(n * bytesOf(size))],
      })),
      {
        label: "page tables",
        cells: [count(table_pages), tableBytes],
      },
    ],
  };
}

/** Regions that have pages, with their policies. */
function regionsTable({ regions }: RunReport): TotalsTable {
  const mapped = regions.filter(({ pages }) => Object.keys(pages).length > 0);
  return {
    title: "Regions",
    columns: ["from", "known", "policy", "pages"],
    rows: mapped.map(({ name, kind, start, policy, pages, source, note }) => ({
      label: [
        name || (kind ?? "unknown"),
        ...(name && kind ? [kind] : []),
      ].join(", "),
      cells: [
        start,
        SOURCES[source].word,
        policyWord(policy),
        Object.entries(pages)
          .map(([size, n]) => `${count(n)} × ${size}`)
          .join(", "),
      ],
      help: [
        SOURCES[source].meaning,
        ...(note === undefined ? [] : [note]),
      ].join(" "),
    })),
  };
}

/** How a region is known. */
const SOURCES: Readonly<
  Record<RegionSource, { readonly word: string; readonly meaning: string }>
> = {
  config: { word: "listed", meaning: "Listed in the mapping." },
  trace: {
    word: "recorded",
    meaning: "From the trace’s memory map records (mmap).",
  },
  inferred: {
    word: "inferred",
    meaning: "Inferred from the addresses of the trace.",
  },
};

function memoryTable({ memory }: RunReport): TotalsTable {
  const { mapped_bytes, used_bytes, waste_bytes, table_bytes } = memory;
  const size = (label: string, n: number, help: string): TotalsRow => ({
    label,
    cells: [memorySize(n), percentOf(n, mapped_bytes)],
    help,
  });
  return {
    title: "Memory at the end",
    columns: ["", "of mapped"],
    rows: [
      size("mapped", mapped_bytes, "Bytes of all mapped pages."),
      ...(used_bytes === undefined
        ? []
        : [
            size(
              "used",
              used_bytes,
              "The mapped pages that accesses used, counted in the smallest page size.",
            ),
          ]),
      ...(waste_bytes === undefined
        ? []
        : [
            size(
              "wasted",
              waste_bytes,
              "Internal fragmentation: mapped but never used, because pages are huge or were touched in advance.",
            ),
          ]),
      ...(memory.shared_bytes === 0
        ? []
        : [
            size(
              "shared",
              memory.shared_bytes,
              "Saved by sharing after a fork: mapped by several processes, but in memory once.",
            ),
          ]),
      size("page tables", table_bytes, "Bytes of the page tables themselves."),
      ...(memory.pretouched_pages > 0
        ? [
            {
              ...row(
                "pages touched in advance",
                memory.pretouched_pages,
                "Mapped before their process ran, so they caused no fault in the run.",
              ),
              cells: [count(memory.pretouched_pages), ""],
            },
          ]
        : []),
    ],
  };
}

function poolsTable({ memory }: RunReport): TotalsTable {
  return {
    title: "Pools of hugetlbfs",
    columns: ["pages", "used", "free"],
    rows: (memory.hugetlb ?? []).map(({ size, pages, free }) => ({
      label: size,
      cells: [pages, pages - free, free].map(count),
    })),
  };
}

function faultsTable({ faults, system }: RunReport): TotalsTable {
  const reused = system.reused_pages;
  const rare = [
    row(
      "hidden",
      faults.hidden,
      "Only the hypervisor sees them, not the guest. They are not counted as minor faults.",
    ),
    row(
      "bus errors",
      faults.bus_errors,
      "Accesses that found a pool of huge pages empty. They ended without a translation.",
    ),
  ].filter(({ cells }) => cells[0] !== "0");
  return table("Page faults", [
    row("minor", faults.minor, "The page was in memory, or needed no data."),
    row(
      "first touch",
      faults.first_touch,
      "Minor: anonymous memory used for the first time.",
    ),
    row(
      "shared",
      faults.shared,
      "Minor: pages of files or of other processes that were in memory already.",
    ),
    row(
      "copy on write",
      faults.copy_on_write,
      "Minor: private pages written for the first time.",
    ),
    ...(reused > 0
      ? [
          row(
            "of these, kept without a copy",
            reused,
            "No other process had the page any more: after a fork the last owner keeps it.",
          ),
        ]
      : []),
    row("major", faults.major, "The page had to be read from a disk."),
    row(
      "swap in",
      faults.swap_in,
      "Major: from a swap area, or from a file that was not in memory.",
    ),
    ...rare,
  ]);
}

function systemTable({ system }: RunReport): TotalsTable {
  const rows = [
    row(
      "promotions",
      system.promotions,
      "Small pages replaced by huge ones, by khugepaged or for code.",
    ),
    row("small pages replaced", system.promoted_pages),
    ...(system.demotions > 0
      ? [
          row(
            "demotions",
            system.demotions,
            "Huge pages of code split into small ones, because the cap or the hottest code changed.",
          ),
        ]
      : []),
    row(
      "promotions that failed",
      system.failed_promotions,
      "khugepaged found no free block of memory.",
    ),
    row(
      "shootdowns",
      system.shootdowns,
      "How often changed mappings were shot down on the cores.",
    ),
    row(
      "entries shot down",
      system.dropped_entries,
      "Entries of TLB arrays and walk caches that these shootdowns invalidated.",
    ),
  ];
  const isQuiet = rows.every(({ cells }) => cells[0] === "0");
  return table("Promotions and shootdowns", isQuiet ? [] : rows);
}

function hostTables({ virt }: RunReport, words: Words): TotalsTable[] {
  if (!virt) return [];
  const { exits } = virt;
  const exitsTable = table("Exits to the host", [
    row("all", exits.total),
    ...[
      row(
        words.violation[1],
        exits.ept_violations,
        "Entries that were not present or lacked a permission.",
      ),
      row(
        words.misconfiguration[1],
        exits.ept_misconfigurations,
        "Host entries that the processor cannot interpret; the access ended there.",
      ),
      row("log full", exits.log_full, "The page-modification log was full."),
      row(
        "switches of virtual machine",
        exits.vm_switches,
        "The host let another virtual machine run on the core.",
      ),
      row(
        "flushes",
        exits.flushes,
        "The host changed its tables: each core that ran the virtual machine invalidated its translations.",
      ),
      row(
        "page-table writes",
        exits.page_table_writes,
        "Guest writes to page-table entries, which are always write-protected under shadow paging.",
      ),
      row(
        words.rootLoads[1],
        exits.cr3_loads,
        "Switches to other page tables.",
      ),
      row(words.pageDrops, exits.invlpg),
      row(
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
    table("Host", [
      row(
        words.violation[1],
        virt.ept_violations,
        "Host pages that were missing or lacked a permission.",
      ),
      row("accessed flags set", virt.ept_accessed),
      row(
        "dirty flags set",
        virt.ept_dirty,
        "A read of a guest table counts as a write for the host.",
      ),
      ...(words.hasLog
        ? [
            row("entries of the page-modification log", virt.pml_entries),
            row("exits because the log was full", virt.pml_full_exits),
          ]
        : []),
      ...[
        row(
          "pages copied on write",
          virt.host_faults.copy_on_write,
          "Shared host pages that the guest wrote.",
        ),
        row(
          "pages already in memory",
          virt.host_faults.shared,
          "They only had to be mapped, or given a permission.",
        ),
        row("pages swapped in", virt.host_faults.swap_in),
        row(
          "huge pages made",
          virt.host_system.promotions,
          "By the host’s khugepaged. It unmaps the small pages, so the next use of each is a violation.",
        ),
        row("small pages replaced", virt.host_system.promoted_pages),
        row("no free block", virt.host_system.failed_promotions),
        row(
          "entries invalidated for that",
          virt.host_system.dropped_entries,
          "Of TLB arrays and walk caches, when pages were copied or promoted.",
        ),
      ].filter(({ cells }) => cells[0] !== "0"),
    ]),
    pagesTable("Pages of the host", virt.host_pages, ""),
  ];
}

function invalidationsTable(
  { invalidations }: RunReport,
  words: Words,
): TotalsTable {
  const { ops, switches, tlb_entries, walk_cache_entries, host_entries } =
    invalidations;
  const rows = [
    ...Object.entries(ops).map(([op, n]) =>
      row(words.counted(op), n, "An operation of the trace."),
    ),
    row(
      "process switches",
      switches,
      "Process changes from one access to the next, without those that the trace has as operations.",
    ),
    row("TLB entries invalidated", tlb_entries),
    row("walk cache entries invalidated", walk_cache_entries),
    ...(host_entries > 0
      ? [
          row(
            "host-side entries invalidated",
            host_entries,
            `Entries of ${words.nestedTlb}, ${words.host} walk caches and page walk cache.`,
          ),
        ]
      : []),
  ];
  const isQuiet = rows.every(({ cells }) => cells[0] === "0");
  return table("Operations and invalidations", isQuiet ? [] : rows);
}

function exceptionsTable({ exceptions }: RunReport, words: Words): TotalsTable {
  const { general_protection, page_faults, ept_misconfigurations } = exceptions;
  const addressFaults = Object.entries(exceptions.address_faults ?? {});
  return table("Exceptions", [
    ...(general_protection > 0
      ? [
          row(
            words.exception("#GP", null),
            general_protection,
            "Addresses that are not canonical.",
          ),
        ]
      : []),
    ...addressFaults.map(([name, n]) =>
      row(name, n, "Addresses that this machine does not translate."),
    ),
    ...Object.entries(page_faults).map(([code, n]) =>
      row(
        words.exception("#PF", code),
        n,
        "Page faults by error code that the kernel could not resolve.",
      ),
    ),
    ...(ept_misconfigurations > 0
      ? [
          row(
            words.misconfiguration[0],
            ept_misconfigurations,
            "Host entries that the processor cannot interpret.",
          ),
        ]
      : []),
  ]);
}

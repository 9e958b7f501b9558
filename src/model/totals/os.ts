/** What operating system and host did in a run: pages, faults by cause, huge pages made, what was invalidated. */
import type { RegionSource } from "../../engine/generated/RegionSource";
import type { RunReport } from "../../engine/generated/RunReport";
import { count, memorySize, percentOf } from "../shared/format";
import { policyWord } from "../config/pagePolicies";
import { bytesOf } from "../shared/pageSizes";
import type { Words } from "../words/vocabulary";
import type { TotalsRow, TotalsTable } from "./rows";

/** Tables of one number per row, but for pages and pools. */
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

/** Pages by size, the smallest first, then those of page tables. */
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

/** Regions that have pages, with the policy that applies to each. */
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
    meaning: "Taken from the trace's records of memory maps (mmap).",
  },
  inferred: {
    word: "inferred",
    meaning: "Inferred from the addresses that the trace touches.",
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
      size("mapped", mapped_bytes, "Bytes of all pages that are mapped."),
      ...(used_bytes === undefined
        ? []
        : [
            size(
              "used",
              used_bytes,
              "The smallest pages that accesses used, of those that are mapped.",
            ),
          ]),
      ...(waste_bytes === undefined
        ? []
        : [
            size(
              "wasted",
              waste_bytes,
              "Internal fragmentation: mapped and never used, because pages are large or were touched in advance.",
            ),
          ]),
      ...(memory.shared_bytes === 0
        ? []
        : [
            size(
              "shared",
              memory.shared_bytes,
              "Mapped by several processes after a fork, and in memory once: all but that once.",
            ),
          ]),
      size("page tables", table_bytes, "Bytes of the tables themselves."),
      ...(memory.pretouched_pages > 0
        ? [
            {
              ...row(
                "pages touched in advance",
                memory.pretouched_pages,
                "Mapped before their process ran: they took no fault of the run.",
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
      "Only the hypervisor sees them: the guest knows nothing. They are not among the minor ones.",
    ),
    row(
      "bus errors",
      faults.bus_errors,
      "Accesses that found a pool of huge pages empty. They ended there, without a translation.",
    ),
  ].filter(({ cells }) => cells[0] !== "0");
  return table("Page faults", [
    row("minor", faults.minor, "The page was in memory, or needed none."),
    row(
      "first touch",
      faults.first_touch,
      "Minor: anonymous memory used for the first time.",
    ),
    row(
      "shared",
      faults.shared,
      "Minor: pages of files and of other processes that are in memory already.",
    ),
    row(
      "copy on write",
      faults.copy_on_write,
      "Minor: private pages written for the first time.",
    ),
    ...(reused > 0
      ? [
          row(
            "of them kept, not copied",
            reused,
            "Nobody else had the page any more: after a fork the last owner keeps it.",
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
      "Huge pages made of small ones: by khugepaged, or for code.",
    ),
    row("small pages replaced", system.promoted_pages),
    ...(system.demotions > 0
      ? [
          row(
            "demotions",
            system.demotions,
            "Huge pages of code made into small ones again, as the cap or the hottest code changed.",
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
      "Times that the cores were told that mappings have changed.",
    ),
    row(
      "entries shot down",
      system.dropped_entries,
      "Entries of TLB arrays and walk caches that were dropped for it.",
    ),
  ];
  const isQuiet = rows.every(({ cells }) => cells[0] === "0");
  return table("Huge pages made, shootdowns", isQuiet ? [] : rows);
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
        "Entries that were not present, or lacked a right.",
      ),
      row(
        words.misconfiguration[1],
        exits.ept_misconfigurations,
        "Entries of the host that the processor does not understand: the access ended there.",
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
        "The host had changed its tables: each core that ran the virtual machine dropped what it knew of it.",
      ),
      row(
        "page-table writes",
        exits.page_table_writes,
        "Entries of page tables that the guest wrote: under shadow paging they are always write-protected.",
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
        "Pages that the guest had mapped and the shadow table had not.",
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
        "Pages of the host that were missing, or lacked a right.",
      ),
      row("accessed flags set", virt.ept_accessed),
      row(
        "dirty flags set",
        virt.ept_dirty,
        "A read of a guest's table is a write for the host.",
      ),
      ...(words.hasLog
        ? [
            row("entries of the page-modification log", virt.pml_entries),
            row("exits as the log was full", virt.pml_full_exits),
          ]
        : []),
      ...[
        row(
          "pages copied on write",
          virt.host_faults.copy_on_write,
          "Pages of the host that others had, too, and that the guest wrote.",
        ),
        row(
          "pages that were in memory already",
          virt.host_faults.shared,
          "They only had to be mapped, or allowed.",
        ),
        row("pages swapped in", virt.host_faults.swap_in),
        row(
          "huge pages made",
          virt.host_system.promotions,
          "By the host's khugepaged, of small pages that it took away: the next use of each is a violation.",
        ),
        row("small pages replaced", virt.host_system.promoted_pages),
        row("no free block", virt.host_system.failed_promotions),
        row(
          "entries dropped for that",
          virt.host_system.dropped_entries,
          "Of TLB arrays and walk caches, when pages were copied or huge pages made.",
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
      "switches of process",
      switches,
      "Changes of process from one access to the next, beside those that the trace has as operations.",
    ),
    row("TLB entries dropped", tlb_entries),
    row("walk cache entries dropped", walk_cache_entries),
    ...(host_entries > 0
      ? [
          row(
            "host-side entries dropped",
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
    ...Object.entries(page_faults).map(([code, n]) =>
      row(
        words.exception("#PF", code),
        n,
        "Page faults by error code that the kernel could do nothing about.",
      ),
    ),
    ...(ept_misconfigurations > 0
      ? [
          row(
            words.misconfiguration[0],
            ept_misconfigurations,
            "Entries of the host that the processor does not understand.",
          ),
        ]
      : []),
  ]);
}

/** All counts of a run as tables, in the order of the totals panel. */
import { KINDS } from "../../engine/generated/words";
import type { MachineView } from "../../engine/generated/MachineView";
import type { EcptWalksReport } from "../../engine/generated/EcptWalksReport";
import type { RunReport } from "../../engine/generated/RunReport";
import {
  count,
  counted,
  cycles,
  mean,
  NONE,
  percentOf,
} from "../shared/format";
import { listOf } from "../replay/bits";
import { memoryTables } from "./os";
import { hostCacheName, secondLevelName, structureName } from "../tlb/names";
import { wordsOf } from "../words/words";
import type { TotalsRow, TotalsTable } from "./rows";
import { one, oneColumn } from "./rows";
import { cyclesInterval } from "./overlap";

/** The tables of a run; a table without data is left out. */
export function runTables(
  report: RunReport,
  machine: MachineView,
): readonly TotalsTable[] {
  const second = secondLevelName(machine);
  const tables = [
    kindsTable(report, machine),
    walksTable(report, second),
    eventsTable(report),
    prefetchTable(report),
    ...memoryTables(report, wordsOf(machine)),
    structuresTable(report, machine),
    walkCachesTable(report, machine),
    servedTable(report),
    hashedTable(report),
    coresTable(report, second),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function kindsTable(
  { kinds, trace }: RunReport,
  machine: MachineView,
): TotalsTable {
  const hasSecond = machine.structures.some(({ role }) => role === "l2");
  const names = KINDS.filter(
    (kind) => kind !== "prefetch" || trace.prefetch > 0,
  );
  return {
    title: "Translations",
    columns: [
      "all",
      "L1 hits",
      ...(hasSecond ? [`${secondLevelName(machine)} hits`] : []),
      "walks",
    ],
    rows: names.map((kind) => {
      const { translations, l1_hits, l2_hits, walks } = kinds[kind];
      return {
        label: kind,
        cells: [
          translations,
          l1_hits,
          ...(hasSecond ? [l2_hits] : []),
          walks,
        ].map(count),
        ...(kind === "prefetch" && {
          help: "Counted separately: prefetches are no accesses, and a prefetch of an unmapped page is dropped.",
        }),
      };
    }),
  };
}

/** The cycles of events outside of translation, if the machine prices them. */
function eventsTable(report: RunReport): TotalsTable {
  const { event_cycles: cycles, faults, virt, system } = report;
  const title = "Events outside of translation";
  if (!cycles) return { title, columns: [], rows: [] };
  const shootdowns = system.shootdowns + (virt?.host_system.shootdowns ?? 0);
  const events: readonly [string, number, number][] = [
    ["minor page faults", faults.minor, cycles.minor_faults],
    ["major page faults", faults.major, cycles.major_faults],
    ["VM exits", virt?.exits.total ?? 0, cycles.vm_exits],
    ["shootdowns", shootdowns, cycles.shootdowns],
  ];
  return {
    title,
    columns: ["number", "cycles"],
    rows: [
      ...events
        .filter(([, n]) => n > 0)
        .map(([label, n, of]) => ({
          label,
          cells: [count(n), count(of)],
          model: true,
        })),
      { label: "all", cells: ["", count(cycles.total)], model: true },
    ],
  };
}

function walksTable(report: RunReport, second: string): TotalsTable {
  const { walks, cycles: parts } = report;
  const least = report.cycles.overlapped;
  const isNested = walks.host_refs > 0;
  return {
    title: "Walks and cycles",
    columns: [""],
    rows: [
      one("walks", walks.walks),
      one("references", walks.refs, "Page-table entries read by all walks."),
      ...(isNested
        ? [
            one("of these, to guest tables", walks.guest_refs),
            one("of these, to host tables", walks.host_refs),
          ]
        : []),
      {
        label: "references per walk",
        cells: [walks.walks > 0 ? mean(walks.refs / walks.walks) : NONE],
      },
      one(
        "accessed and dirty flags set",
        walks.ad_updates,
        "Writes that set the A or D flag of page-table entries; the host’s are counted separately.",
      ),
      { ...one(`cycles of ${second} hits`, parts.l2_hit), model: true },
      { ...one(`cycles of ${second} misses`, parts.l2_miss), model: true },
      { ...one("walk cycles", parts.walk), model: true },
      {
        ...one(
          "all cycles",
          parts.total,
          "The sum: one translation after the other.",
        ),
        model: true,
      },
      ...(least === undefined
        ? []
        : [
            {
              ...one(
                "at least, with overlap",
                least,
                "No core with these walkers and these misses in flight ends all translations sooner.",
              ),
              model: true,
            },
          ]),
      {
        label: "cycles per access",
        cells: [cyclesInterval(report)],
        model: true,
      },
    ],
  };
}

/** The prefetches of TLB entries; no rows without a prefetcher. */
function prefetchTable({ tlb_prefetch: done }: RunReport): TotalsTable {
  return oneColumn(
    "TLB prefetches",
    done === undefined
      ? []
      : [
          one("walks that prefetched", done.issued),
          one("useful", done.useful, "An access used the entry."),
          one("evicted unused", done.useless),
          one(
            "references",
            done.refs,
            "Page-table entries that these walks read. No other table counts them.",
          ),
          one(
            "pages not mapped",
            done.unmapped,
            "Predicted, but not mapped: no walk and no fault.",
          ),
          ...(done.without_ip === 0
            ? []
            : [
                one(
                  "misses without an instruction",
                  done.without_ip,
                  "The prefetcher follows instructions, and the trace names none for these misses: it learned nothing from them.",
                ),
              ]),
        ],
  );
}

/** The POM-TLB, after the arrays. */
function pomRow({ pom_tlb }: RunReport): TotalsRow[] {
  if (!pom_tlb) return [];
  const { lookups, hits, fills, evictions, invalidations } = pom_tlb;
  const reads = pom_tlb.served_by
    .filter(({ refs }) => refs > 0)
    .map(({ name, refs }) => `${count(refs)} from ${name}`);
  return [
    {
      label: "POM-TLB",
      cells: [
        count(lookups),
        count(hits),
        percentOf(hits, lookups),
        ...[fills, evictions, invalidations].map(count),
      ],
      help: `Its hits are hits of level 2, too. Sets read: ${listOf(reads)}, in ${cycles(pom_tlb.cycles)}.`,
    },
  ];
}

/** The TLB blocks in a memory cache, after the arrays. */
function blocksRow({ victima }: RunReport): TotalsRow[] {
  if (!victima) return [];
  const { lookups, hits, after_walks, after_evictions } = victima;
  return [
    {
      label: `TLB blocks in ${victima.cache}`,
      cells: [
        count(lookups),
        count(hits),
        percentOf(hits, lookups),
        count(after_walks + after_evictions),
        NONE,
        count(victima.invalidations),
      ],
      help: `Their hits are hits of level 2, too, with ${cycles(victima.cycles)} for the reads. Walks wrote ${counted(after_walks, "block")}, evictions from level 2 wrote ${count(after_evictions)}; ${counted(victima.not_costly, "time")} the page had too few costs for one. Lines of data may evict blocks, which is not counted. Dropped are pages of blocks.`,
    },
  ];
}

function structuresTable(report: RunReport, machine: MachineView): TotalsTable {
  const { structures } = report;
  return {
    title: "TLB arrays",
    columns: ["lookups", "hits", "", "fills", "evictions", "dropped"],
    rows: [
      ...structures.map((row, at) => ({
        label: structureName(machine, at),
        cells: [
          count(row.hits + row.misses),
          count(row.hits),
          percentOf(row.hits, row.hits + row.misses),
          ...[row.fills, row.evictions, row.invalidations].map(count),
        ],
        help: "Lookups of pages whose size the array can hold. Dropped: entries removed without a fill in their place.",
      })),
      ...pomRow(report),
      ...blocksRow(report),
    ],
  };
}

function walkCachesTable(
  { walks, structures }: RunReport,
  machine: MachineView,
): TotalsTable {
  const { psc, nested_tlb, ept_psc = [], pwc } = walks;
  const hits = (
    label: string,
    { lookups, hits }: { lookups: number; hits: number },
  ): TotalsRow => ({
    label,
    cells: [count(lookups), count(hits), percentOf(hits, lookups)],
  });
  return {
    title: "Walk caches",
    columns: ["lookups", "hits", ""],
    rows: [
      // Walk caches follow the TLB arrays in the machine, in the same order.
      ...psc.map((row, at) =>
        hits(structureName(machine, structures.length + at), row),
      ),
      ...(nested_tlb ? [hits(wordsOf(machine).nestedTlb, nested_tlb)] : []),
      ...ept_psc.map((row) => hits(hostCacheName(row.name, machine), row)),
      ...(pwc ? [hits("page walk cache", pwc)] : []),
    ],
  };
}

function servedTable({ walks }: RunReport): TotalsTable {
  return {
    title: "References served by",
    columns: ["references", ""],
    rows: walks.served_by.map(({ name, refs }) => ({
      label: name,
      cells: [count(refs), percentOf(refs, walks.refs)],
    })),
  };
}

/** The hashed page tables; no rows on a machine with radix trees. */
function hashedTable({ ecpt, walks }: RunReport): TotalsTable {
  const sorts: readonly [keyof EcptWalksReport, string][] = [
    ["direct", "One line was read: that of a huge page."],
    ["size", "All ways of the table of one page size were read."],
    ["partial", "Some ways of several tables were read."],
    ["complete", "All ways of all tables were read."],
  ];
  return {
    title: "Hashed page tables",
    columns: ["", ""],
    rows: !ecpt
      ? []
      : [
          ...sorts.map(([sort, help]) => ({
            label: `${sort} walks`,
            cells: [
              count(ecpt.walks[sort]),
              percentOf(ecpt.walks[sort], walks.walks),
            ],
            help,
          })),
          ...ecpt.tables.map(({ pages, used, lines, resizing }) => ({
            label: `lines in use, pages of ${pages}`,
            cells: [count(used), percentOf(used, lines)],
            help: `Of ${counted(lines, "line")}, each of 8 pages. ${counted(resizing, "table")} in a resize at the end.`,
          })),
          { label: "resizes", cells: [count(ecpt.resizes), ""] },
          { label: "lines moved", cells: [count(ecpt.moves), ""] },
        ],
  };
}

function coresTable({ cores = [] }: RunReport, second: string): TotalsTable {
  return {
    title: "Cores",
    columns: ["accesses", "L1 hits", `${second} hits`, "walks", "cycles"],
    rows: cores.map((core) => ({
      label: `core ${core.id}`,
      cells: [
        core.accesses,
        core.l1_hits,
        core.l2_hits,
        core.walks,
        core.cycles,
      ].map(count),
      help: "The number of the thread or the processor in the trace.",
    })),
  };
}

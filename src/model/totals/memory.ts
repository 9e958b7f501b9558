/** Tables about memory in a run: pages by size, regions, bytes, pools of huge pages. */
import type { RegionSource } from "../../engine/generated/RegionSource";
import type { RunReport } from "../../engine/generated/RunReport";
import { count, memorySize, percentOf } from "../shared/format";
import { policyWord } from "../config/pagePolicies";
import { bytesOf } from "../shared/pageSizes";
import { one } from "./rows";
import type { TotalsRow, TotalsTable } from "./rows";

/** Pages by size, smallest first, then those of page tables. */
export function pagesTable(
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
export function regionsTable({ regions }: RunReport): TotalsTable {
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

/** Bytes of memory at the end of the run, each as a share of the mapped memory. */
export function memoryTable({ memory }: RunReport): TotalsTable {
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
              ...one(
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

/** Reserved huge pages by size. */
export function poolsTable({ memory }: RunReport): TotalsTable {
  return {
    title: "Pools of hugetlbfs",
    columns: ["pages", "used", "free"],
    rows: (memory.hugetlb ?? []).map(({ size, pages, free }) => ({
      label: size,
      cells: [pages, pages - free, free].map(count),
    })),
  };
}

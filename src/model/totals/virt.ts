/** The figures of a run in a virtual machine: guest and host references, and what the host did. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { RunReport } from "../../engine/generated/RunReport";
import { NONE, count, counted, mean, percentOf } from "../shared/format";
import { hostCacheName } from "../tlb/names";
import type { Total } from "./figures";
import { wordsOf } from "../words/words";

type Format = Pick<MachineView, "tables">;

const DEFAULT: Format = { tables: "x86" };

/** References per walk by guest and host, with the caches that saved some; `null` for a native run. */
export function refsPerWalk(report: RunReport, machine?: Format): Total | null {
  const { walks, virt } = report;
  if (virt?.mode === "shadow" || (!virt && walks.host_refs === 0)) return null;
  const value = walks.walks > 0 ? mean(walks.refs / walks.walks) : NONE;
  return {
    label: "references",
    value,
    unit: "per walk",
    formula: [
      "entries read by all walks ÷ walks",
      `guest ${count(walks.guest_refs)} + host ${count(walks.host_refs)} = ${count(walks.refs)}`,
      `${count(walks.refs)} ÷ ${counted(walks.walks, "walk")} = ${value}`,
      ...cacheLines(report, machine),
      ...hostLines(report, machine),
    ],
    model: false,
  };
}

/** Exits to the host under shadow paging, by reason; `null` for other runs. */
export function shadowExits(
  { virt, trace }: RunReport,
  machine?: Format,
): Total | null {
  if (virt?.mode !== "shadow") return null;
  const { exits, host_pages } = virt;
  const words = wordsOf(machine ?? DEFAULT);
  const perThousand =
    trace.accesses > 0 ? mean((1000 * exits.total) / trace.accesses) : NONE;
  return {
    label: "exits",
    value: perThousand,
    unit: "per 1,000 accesses",
    formula: [
      "exits to the host ÷ accesses × 1,000",
      `${counted(exits.page_table_writes, "guest write")} to page tables, which are always write-protected`,
      counted(exits.hidden_faults, "hidden fault"),
      `${counted(exits.cr3_loads, ...words.rootLoads)}, ${count(exits.invlpg)} ${words.page}`,
      `${count(exits.total)} ÷ ${count(trace.accesses)} × 1,000 = ${perThousand}`,
      counted(host_pages["table_pages"] ?? 0, "shadow table page"),
    ],
    model: false,
  };
}

function cacheLines({ walks }: RunReport, machine: Format = DEFAULT): string[] {
  const { nested_tlb, ept_psc = [], pwc } = walks;
  const named = [
    { name: wordsOf(machine).nestedTlb, cache: nested_tlb },
    ...ept_psc.map((cache) => ({
      name: hostCacheName(cache.name, machine),
      cache,
    })),
    { name: "page walk cache", cache: pwc },
  ];
  return named.flatMap(({ name, cache }) =>
    cache
      ? [
          `${name}: ${count(cache.hits)} of ${counted(cache.lookups, "lookup")} hit, ${percentOf(cache.hits, cache.lookups)}`,
        ]
      : [],
  );
}

function hostLines({ virt }: RunReport, machine: Format = DEFAULT): string[] {
  if (!virt) return [];
  const pages = Object.entries(virt.host_pages)
    .filter(([size, n]) => n > 0 && size !== "table_pages")
    .map(([size, n]) => `${count(n)} × ${size}`);
  const words = wordsOf(machine);
  return [
    counted(virt.ept_violations, ...words.violation),
    `host pages ${pages.length > 0 ? pages.join(", ") : NONE}, ${counted(virt.host_pages["table_pages"] ?? 0, "table page")}`,
    ...(words.hasLog
      ? [
          `${counted(virt.pml_entries, "entry", "entries")} of the page-modification log, ${counted(virt.pml_full_exits, "exit")} because it was full`,
        ]
      : []),
  ];
}

/** The TLBs that a run used, in one line, and what makes its counts differ from those of plain LRU. */
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { StructureView } from "../../engine/generated/StructureView";
import { pagesText } from "../config/pagePolicies";
import { count, counted } from "../shared/format";
import { sizeWords } from "../shared/pageSizes";
import { structureName } from "../tlb/names";
import type { ProgramShown } from "./code";

export interface MachineLine {
  /** The machine and the pages of the run: `Skylake-SP, 4K pages`. */
  readonly of: string;
  /** `L1 dTLB 4K: 64 entries, 4 ways`. */
  readonly arrays: readonly string[];
  readonly notes: readonly string[];
}

type Run = Pick<ProgramShown, "machine" | "report" | "setup">;

export function machineLine({ machine, report, setup }: Run): MachineLine {
  const used = machine.structures.flatMap((view, at) => {
    const row = report.structures[at];
    const isArray = view.role === "l1" || view.role === "l2";
    const isUsed = row && row.hits + row.misses + row.fills > 0;
    return isArray && isUsed
      ? [{ view, name: structureName(machine, at) }]
      : [];
  });
  const notLru = used.filter(
    ({ view }) => view.replacement !== "lru" && view.ways > 1,
  );
  return {
    of: `${machine.name}, ${pagesOf(setup.os)}`,
    arrays: used.map(({ view, name }) => `${name}: ${sizeOf(view)}`),
    notes: [
      ...joinedPages(setup),
      ...(notLru.length > 0
        ? [
            `${notLru.map(({ view, name }) => `${name} (${view.replacement})`).join(" and ")} ${notLru.length === 1 ? "does" : "do"} not replace by LRU, so some pages can stay while a loop goes over more pages than fit.`,
          ]
        : []),
    ],
  };
}

/** `4K pages`, or the word of another mapping: `THP`. */
function pagesOf(os: OsConfig): string {
  const word = pagesText(os);
  return /^\d/.test(word) ? `${word} pages` : word;
}

function sizeOf({ sets, ways }: Pick<StructureView, "sets" | "ways">): string {
  const entries = counted(sets * ways, "entry", "entries");
  return sets === 1 && ways > 1
    ? `${entries}, fully associative`
    : `${entries}, ${counted(ways, "way")}`;
}

/** The pages that share an entry, as the model's data says. Pages of another size share none. */
function joinedPages({ machine, os }: Run["setup"]): readonly string[] {
  return Object.entries(machine.coalescing ?? {})
    .filter(([size]) => os.default === size || !/^\d/.test(os.default))
    .map(
      ([size, n]) =>
        `Up to ${count(n)} neighbouring pages of ${sizeWords(size)} share an entry if their frames are neighbours, too. So an array reaches more pages than it has entries.`,
    );
}

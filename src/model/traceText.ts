/** A trace in words: what recorded it, how much of the program it holds, how much memory it touched. */
import type { Completeness } from "../engine/generated/Completeness";
import type { TraceView } from "../engine/generated/TraceView";

const TOOLS: Readonly<Record<string, string>> = {
  lackey: "valgrind lackey",
  csv: "address list",
};

/** What made the trace, by the format of its file; a format without a tool's name stands for itself. */
export function toolName(format: string): string {
  return TOOLS[format] ?? format;
}

const COMPLETENESS: Readonly<
  Record<Completeness, { readonly word: string; readonly meaning: string }>
> = {
  complete: {
    word: "complete",
    meaning: "Every access of the program, in order.",
  },
  sampled: {
    word: "sampled",
    meaning:
      "A sample: most accesses are missing, so hits and misses of a simulation are not those of the program.",
  },
  "latency-filtered": {
    word: "slow accesses only",
    meaning:
      "Only accesses above a latency were recorded: the hits between them are missing.",
  },
  "first-touches": {
    word: "first touches only",
    meaning: "Only the first access to each page was recorded.",
  },
};

export function completenessWord(completeness: Completeness): string {
  return COMPLETENESS[completeness].word;
}

/** What the trace cannot tell. */
export function completenessMeaning(completeness: Completeness): string {
  return COMPLETENESS[completeness].meaning;
}

/** Distinct 4 KiB pages in all regions. */
export function pagesTouched({ regions }: Pick<TraceView, "regions">): number {
  return regions.reduce((sum, region) => sum + region.pages, 0);
}

/** A trace in words: how complete it is, and how much memory it touched. */
import type { Completeness } from "../../engine/generated/Completeness";
import type { ImportReport } from "../../engine/generated/ImportReport";
import type { SampledEvent } from "../../engine/generated/SampledEvent";
import type { TimelineView } from "../../engine/generated/TimelineView";
import type { TraceView } from "../../engine/generated/TraceView";
import { counted } from "../shared/format";
import { sizeWords } from "../shared/pageSizes";
import { limitsOf } from "./formats";

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
      "Sampled: most accesses are missing, so simulated hits and misses are not the program’s.",
  },
  "latency-filtered": {
    word: "slow accesses only",
    meaning:
      "Only accesses above a latency were recorded; the hits between them are missing.",
  },
  "first-touches": {
    word: "first touches only",
    meaning:
      "Only page faults were recorded, mostly the first access to each page.",
  },
};

/** A list of addresses does not say who made it, nor what was left out. */
const AS_GIVEN = {
  word: "completeness unknown",
  meaning: "Unknown whether the list is complete.",
} as const;

/**
 * The trace is partial: the file was cut off, or a limit, a window or a selection left out accesses, now or when
 * the list was written.
 */
const PART = {
  word: "partial",
  meaning:
    "Partial: the file was cut off, or a limit or a selection left out accesses.",
} as const;

/** A list without a header: what its columns are is a guess. */
const GUESSED = {
  word: "columns guessed",
  meaning:
    "No header names the columns of the list, so what they are is a guess. Check the first accesses before you use the numbers.",
} as const;

function wordsOf(
  completeness: Completeness,
  format: ImportReport["format"] | undefined,
  part: boolean,
  guessed: boolean,
): { readonly word: string; readonly meaning: string } {
  const isComplete = completeness === "complete";
  if (guessed) {
    const others = wordsOf(completeness, undefined, part, false);
    if (isComplete && !part) return GUESSED;
    return {
      word: `${GUESSED.word}, ${others.word}`,
      meaning: `${GUESSED.meaning} ${others.meaning}`,
    };
  }
  if (isComplete && part) return PART;
  const isAsGiven =
    format !== undefined && limitsOf(format).includes("completeness");
  if (isComplete && isAsGiven) return AS_GIVEN;
  const { word, meaning } = COMPLETENESS[completeness];
  return part
    ? { word: `${word}, partial`, meaning: `${meaning} ${PART.meaning}` }
    : { word, meaning };
}

/** Whether the trace is partial. */
export function completenessWord(
  completeness: Completeness,
  format?: ImportReport["format"],
  part = false,
  guessed = false,
): string {
  return wordsOf(completeness, format, part, guessed).word;
}

/** What the trace cannot show. */
export function completenessMeaning(
  completeness: Completeness,
  format?: ImportReport["format"],
  part = false,
  guessed = false,
): string {
  return wordsOf(completeness, format, part, guessed).meaning;
}

/**
 * The pages that the trace touches: `2,221 pages touched`. A machine with pages below 4 KiB counts its own: `64 pages of
 * 64 B touched`. `view` is the timeline of the trace on the machine.
 */
export function touchedText(
  trace: Pick<TraceView, "regions">,
  view?: Pick<TimelineView, "regions" | "page_size">,
): string {
  const pages = counted(pagesTouched(view ?? trace), "page");
  const size = view ? sizeWords(view.page_size) : "4K";
  return size === "4K" ? `${pages} touched` : `${pages} of ${size} touched`;
}

/** The number of distinct pages in all regions. */
export function pagesTouched({ regions }: Pick<TraceView, "regions">): number {
  return regions.reduce((sum, region) => sum + region.pages, 0);
}

/** perf's number for a task that had ended when it was recorded: −1. */
const ENDED = 2 ** 32 - 1;

/** Bit 31 of a process number: set for what the process ran as a virtual machine. */
const GUEST = 2 ** 31;

/**
 * The process number of `7`, or of `guest:7`: what process 7 ran as a virtual machine, which is `2147483655`
 * in lists.
 */
export function processOf(word: string): number | undefined {
  if (word === "-1") return ENDED;
  const [, guest, number] = /^(guest:)?(\d{1,10})$/.exec(word) ?? [];
  const pid = Number(number) + (guest === undefined ? 0 : GUEST);
  return pid <= ENDED ? pid : undefined;
}

/** A process in the form that `processOf` reads. */
export function typedProcess(pid: number): string {
  return pid < GUEST || pid === ENDED
    ? threadText(pid)
    : `guest:${pid - GUEST}`;
}

export function threadOf(word: string): number | undefined {
  if (word === "-1") return ENDED;
  const tid = /^\d{1,10}$/.test(word) ? Number(word) : ENDED;
  return tid < ENDED ? tid : undefined;
}

/** The number of a thread as text. */
export function threadText(tid: number): string {
  return tid === ENDED ? "-1" : String(tid);
}

/** The number of a process as text; bit 31 marks what it ran as a virtual machine. */
export function processText(pid: number): string {
  if (pid === ENDED) return threadText(pid);
  return pid < GUEST ? String(pid) : `${pid - GUEST} (guest)`;
}

/** Page faults that tracepoints report. */
export const FIRST_TOUCHES = "from tracepoints, simulated as first touches";

/** The number of simulated accesses, including page faults from tracepoints. */
export function withAddress({ accesses, sampling }: ImportReport): number {
  return accesses + (sampling?.faults ?? 0);
}

/** Some texts do not name the event. */
export function isNamed({ name }: SampledEvent): boolean {
  return name !== "";
}

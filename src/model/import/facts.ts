/** The result of peeking into a file, in words: what it contains, what it can show and what it cannot. */
import type { FormatLimit } from "../../engine/generated/FormatLimit";
import type { ImportReport } from "../../engine/generated/ImportReport";
import type { Peek } from "../../engine/generated/Peek";
import type { Sampling } from "../../engine/generated/Sampling";
import type { TlbLevel } from "../../engine/generated/TlbLevel";
import { count, counted, pageSize, percentOf } from "../shared/format";
import { limitsOf, toolName } from "./formats";
import { FIRST_TOUCHES, isNamed, withAddress } from "./traceText";

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  /** Whether the value is an identifier and not a number. */
  readonly mono?: boolean;
}

/** The kind of the file: `perf script, gzip`. */
export function whatItIs({ report, packed }: Peek): string {
  const format = report ? toolName(report.format) : "unknown format";
  return [format, ...packed.map((name) => `compressed with ${name}`)].join(
    ", ",
  );
}

/** Facts about the file, or about its beginning. */
export function holdings(peek: Peek): readonly Fact[] {
  const { report } = peek;
  if (!report) return [];
  const hasCounts = hasAllCounts(peek);
  const soFar = hasCounts ? "" : "in its beginning";
  const { records, operations, sampling, left_out = 0 } = report;
  const accesses = withAddress(report);
  const facts: (Fact | false)[] = [
    ...(sampling?.events ?? []).filter(isNamed).map((event): Fact => {
      const often =
        event.period !== null
          ? `one of ${count(event.period)}`
          : event.frequency !== null
            ? `${count(event.frequency)} a second`
            : "";
      return { name: "event", value: event.name, note: often, mono: true };
    }),
    {
      name: sampling ? "samples" : "records",
      value: count(records),
      note: soFar,
    },
    {
      name: sampling ? "with an address" : "accesses",
      // Some samples wait for a later part of the file.
      value: `${count(accesses)}${sampling && !hasCounts ? " or more" : ""}`,
      note:
        sampling && hasCounts ? missing(records - accesses - left_out) : soFar,
    },
    left_out > 0 && {
      name: "left out",
      value: count(left_out),
      note: "by your selection",
    },
    operations > 0 && { name: "operations", value: count(operations) },
    processesFact(report),
    sampling !== undefined &&
      sampling.faults > 0 && {
        name: "page faults",
        value: count(sampling.faults),
        note: FIRST_TOUCHES,
      },
    ...(sampling?.flushes ?? []).map(({ reason, count: n }): Fact => ({
      name: "TLB flushes",
      value: count(n),
      note: `${reason}, not simulated`,
    })),
    sampling !== undefined &&
      sampling.kernel > 0 && {
        name: "by the kernel",
        value: count(sampling.kernel),
      },
    sampling !== undefined &&
      sampling.guest > 0 && { name: "in guests", value: count(sampling.guest) },
    sampling !== undefined &&
      sampling.lost > 0 && { name: "lost", value: count(sampling.lost) },
    ...report.skipped.map(({ reason, count: n }): Fact => ({
      name: "skipped",
      value: count(n),
      note: reason,
    })),
  ];
  return facts.filter((fact) => fact !== false);
}

/** Whether the numbers of records and accesses are those of the whole file. */
export function hasAllCounts({ is_whole, states_counts }: Peek): boolean {
  return is_whole || states_counts === true;
}

function missing(n: number): string {
  return n > 0 ? `and ${count(n)} without` : "";
}

function processesFact({ processes = [], more_processes = 0 }: ImportReport) {
  if (processes.length === 0) return false;
  const threads = processes.reduce(
    (sum, { threads }) => sum + threads.length,
    0,
  );
  const more = more_processes > 0 ? " or more" : "";
  const several = processes.length === 1 ? "process" : "processes";
  return {
    name: "processes",
    value: `${count(processes.length)}${more}`,
    note: `${several}, ${counted(threads, "thread")}`,
  };
}

/** Something that the trace cannot show, as a word and a reason. */
export interface Limit {
  readonly what: string;
  readonly why: string;
}

export interface Abilities {
  readonly can: readonly string[];
  readonly cannot: readonly Limit[];
}

const LIMITS: Readonly<Record<FormatLimit, Limit>> = {
  completeness: {
    what: "Completeness.",
    why: "A list of addresses does not say whether any are missing.",
  },
  threads: {
    what: "Threads.",
    why: "The tool does not say which thread an access belongs to, so all are on one core.",
  },
  "sizes-and-threads": {
    what: "Sizes and threads.",
    why: "The format has neither.",
  },
  kernel: {
    what: "The kernel.",
    why: "Most such traces contain only the program’s own accesses.",
  },
  "kernel-and-speculation": {
    what: "The kernel and speculation.",
    why: "The tool sees only instructions that the program executes.",
  },
  addresses: {
    what: "Addresses of a normal run.",
    why: "The tool moves stack, heap and libraries.",
  },
};

/** What the trace of a file can show about the program, and what it cannot. */
export function abilitiesOf(peek: Peek, report: ImportReport): Abilities {
  const { completeness, format, sampling } = report;
  const measured = measuredShares(peek, sampling);
  const places = placesIn(peek, report);
  switch (completeness) {
    case "complete":
      return {
        can: [
          "hits and misses of any TLB, access by access",
          hasInstructions(peek, report)
            ? "the pages, regions and instructions with misses"
            : "the pages and regions with misses",
        ],
        cannot: limitsOf(format).map((limit) => LIMITS[limit]),
      };
    case "sampled":
      return {
        can: [
          ...places.map((what) => `which ${what} are used, and how often`),
          ...measured,
        ],
        cannot: [
          {
            what: "Hit rates.",
            why: "Accesses between two samples are not recorded, so a simulation of samples misses far too often.",
          },
          {
            what: "Order.",
            why: "A replay shows single translations, not the sequence of the program.",
          },
          ...loadsOnly(sampling),
        ],
      };
    case "latency-filtered":
      return {
        can: [...places.map((what) => `which ${what} are slow`), ...measured],
        cannot: [
          {
            what: "Hit rates.",
            why: "Fast accesses were not recorded, and most hits are fast.",
          },
          {
            what: "Order.",
            why: "Accesses between two samples are not recorded.",
          },
          ...loadsOnly(sampling),
        ],
      };
    case "first-touches":
      return {
        can: ["which pages are touched, and the order of first touches"],
        cannot: [
          {
            what: "Hit rates.",
            why: "Only page faults are recorded, mostly the first access to each page: each is a miss in every TLB.",
          },
        ],
      };
  }
}

/** What samples can be counted by, `pages and instructions`; nothing if they have neither. */
function placesIn(peek: Peek, report: ImportReport): readonly string[] {
  const words = [
    withAddress(report) > 0 && "pages",
    hasInstructions(peek, report) && "instructions",
  ].filter((word) => word !== false);
  return words.length > 0 ? [words.join(" and ")] : [];
}

function hasInstructions({ records }: Peek, report: ImportReport): boolean {
  return (
    report.pages_4k.fetch > 0 ||
    hasCodeSamples(report) ||
    records.some(({ ip }) => ip !== undefined)
  );
}

/** Returns whether samples say where the program was, which is useful even without data addresses. */
function hasCodeSamples({ sampling }: ImportReport): boolean {
  const events = sampling?.events ?? [];
  return events.some(
    ({ samples, of }) => samples > 0 && (of === "execution" || of === "other"),
  );
}

/**
 * Why the samples of a file cannot be opened, with what to record instead; `undefined` if they can, as far as
 * the peek shows.
 */
export function nothingToOpen(peek: Peek): string | undefined {
  const { report, is_whole } = peek;
  if (!report?.sampling || !is_whole || report.records === 0) return undefined;
  if (withAddress(report) > 0 || hasCodeSamples(report)) return undefined;
  if (report.left_out !== undefined && report.left_out > 0) return undefined;
  const has = hasInstructions(peek, report)
    ? "has a data address"
    : "has a data address or an instruction pointer";
  const levels = levelsText(peek);
  const measured = levels === "" ? "" : ` They have ${levels}, but no page.`;
  return `None of its ${counted(report.records, "sample")} ${has}, so there is no page to show.${measured} Record with \`perf mem record\`, and print with \`perf script -F +addr,ip\`.`;
}

/**
 * The measured levels, `measured TLB levels (of the first 8: L2 hit 1, walk 7)`; empty if nothing was
 * measured.
 */
function levelsText({ records }: Peek): string {
  const levels = records.flatMap(({ level }) => level ?? []);
  const counts = (Object.keys(LEVEL_WORDS) as readonly TlbLevel[]).flatMap(
    (level) => {
      const n = levels.filter((each) => each === level).length;
      return n > 0 ? [`${LEVEL_WORDS[level]} ${count(n)}`] : [];
    },
  );
  if (counts.length === 0) return "";
  return `measured TLB levels (of the first ${count(records.length)}: ${counts.join(", ")})`;
}

/** Where the processor found a translation, in words. */
export const LEVEL_WORDS: Readonly<Record<TlbLevel, string>> = {
  unknown: "–",
  l1: "L1 hit",
  l2: "L2 hit",
  "no-walk": "L1 or L2 hit",
  walk: "walk",
  fault: "fault",
};

function measuredShares(peek: Peek, sampling: Sampling | undefined): string[] {
  if (!sampling) return [];
  const levels = levelsText(peek);
  const { l1, l2, no_walk, walk } = sampling.tlb;
  const known = l1 + l2 + no_walk + walk;
  const pages = sampling.page_sizes;
  const all = pages.reduce((sum, { accesses }) => sum + accesses, 0);
  const most = pages.reduce(
    (best, page) => (page.accesses > best.accesses ? page : best),
    { bytes: 0, accesses: 0 },
  );
  return [
    ...(known > 0
      ? [`measured walks: ${percentOf(walk, known)} of the samples here`]
      : levels === ""
        ? []
        : [levels]),
    ...(all > 0
      ? [
          `page sizes in use: ${pageSize(Math.round(Math.log2(most.bytes)))} for ${percentOf(most.accesses, all)} of the samples here`,
        ]
      : []),
  ];
}

function loadsOnly(sampling: Sampling | undefined): Limit[] {
  const names = sampling?.events.map(({ name }) => name) ?? [];
  const isLoads = names.length > 0 && names.every((name) => /load/i.test(name));
  return isLoads
    ? [
        {
          what: "Stores and fetches.",
          why:
            names.length === 1
              ? "The event counts loads only."
              : "The events count loads only.",
        },
      ]
    : [];
}

/** What a look at a file found, in words: what it holds, what it can tell and what it cannot. */
import type { ImportReport } from "../engine/generated/ImportReport";
import type { Peek } from "../engine/generated/Peek";
import type { Sampling } from "../engine/generated/Sampling";
import { count, counted, pageSize, percentOf } from "./format";
import { FIRST_TOUCHES, isNamed, toolName, withAddress } from "./traceText";

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  /** An identifier rather than a number. */
  readonly mono?: boolean;
}

/** `perf script, gzip`: what the file is. */
export function whatItIs({ report, packed }: Peek): string {
  const format = report ? toolName(report.format) : "no known format";
  return [format, ...packed.map((name) => `packed with ${name}`)].join(", ");
}

/** Facts of the file, or of its beginning. */
export function holdings(peek: Peek): readonly Fact[] {
  const { report, is_whole } = peek;
  if (!report) return [];
  const soFar = is_whole ? "" : "in its beginning";
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
      value: count(accesses),
      note: sampling ? missing(records - accesses - left_out) : soFar,
    },
    left_out > 0 && {
      name: "left out",
      value: count(left_out),
      note: "by what is chosen",
    },
    operations > 0 && { name: "operations", value: count(operations) },
    processesFact(report),
    sampling !== undefined &&
      sampling.faults > 0 && {
        name: "page faults",
        value: count(sampling.faults),
        note: FIRST_TOUCHES,
      },
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

/** What cannot be told, with a word for it. */
export interface Limit {
  readonly what: string;
  readonly why: string;
}

export interface Tells {
  readonly can: readonly string[];
  readonly cannot: readonly Limit[];
}

/** Tools that run the program by themselves, at addresses that it would not have without them. */
const INSTRUMENTED: readonly string[] = [
  "lackey",
  "drmemtrace",
  "drmemtrace-view",
  "memtrace",
  "pinatrace",
  "execlog",
];

/** What a trace of this kind can tell of the program, and what it cannot. */
export function tells(report: ImportReport): Tells {
  const { completeness, format, sampling } = report;
  const measured = measuredShares(sampling);
  switch (completeness) {
    case "complete":
      return {
        can: [
          "hits and misses of any TLB, access by access",
          "which pages, regions and instructions they come from",
        ],
        cannot: completeLimits(format),
      };
    case "sampled":
      return {
        can: [
          "which pages and instructions are used, and how often",
          ...measured,
        ],
        cannot: [
          {
            what: "Hit rates.",
            why: "Between two samples lie accesses that nobody recorded: a simulation of samples misses far too often.",
          },
          {
            what: "Order.",
            why: "A replay shows places, not the sequence of the program.",
          },
          ...loadsOnly(sampling),
        ],
      };
    case "latency-filtered":
      return {
        can: ["which pages and instructions are slow", ...measured],
        cannot: [
          {
            what: "Hit rates.",
            why: "Fast accesses were never recorded, and most hits are fast.",
          },
          {
            what: "Order.",
            why: "Between two samples lie accesses that nobody recorded.",
          },
          ...loadsOnly(sampling),
        ],
      };
    case "first-touches":
      return {
        can: ["which pages are touched, and in which order for the first time"],
        cannot: [
          {
            what: "Hit rates.",
            why: "Only the first access to each page is there: each is a miss in every TLB.",
          },
        ],
      };
  }
}

function completeLimits(format: string): Limit[] {
  if (format.startsWith("csv"))
    return [
      {
        what: "Whether anything is missing.",
        why: "A list of addresses does not say how it was made.",
      },
    ];
  if (format === "champsim")
    return [
      { what: "Sizes and threads.", why: "The format has neither." },
      {
        what: "The kernel.",
        why: "Most such traces hold the program's own accesses only.",
      },
    ];
  if (!INSTRUMENTED.includes(format)) return [];
  return [
    {
      what: "The kernel and speculation.",
      why: "The tool sees what the program itself executes.",
    },
    {
      what: "Addresses without the tool.",
      why: "Stack, heap and libraries lie where the tool put them.",
    },
  ];
}

function measuredShares(sampling: Sampling | undefined): string[] {
  if (!sampling) return [];
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
      : []),
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

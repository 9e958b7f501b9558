import type { Cores } from "../../engine/generated/Cores";

/** The example traces of the app. */
export interface BuiltInTrace {
  /** The name in links. */
  readonly id: string;
  /** The file name below `traces/`: the trace in Pagewalk's format, compressed with gzip. */
  readonly file: string;
  /** The recorded command, for display. */
  readonly title: string;
  readonly about: string;
  /** The kind of cores, if the trace is about that. */
  readonly cores?: Cores;
  /** The access that it opens at; missing = a walk that is worth a look. */
  readonly at?: number;
  /** The first access whose walk teaches; a test finds it again. The search for a walk begins there. */
  readonly teachesAt?: number;
}

/** The first one opens with the app. */
export const BUILT_IN_TRACES: readonly [BuiltInTrace, ...BuiltInTrace[]] = [
  {
    id: "chase",
    file: "chase.pagewalk.gz",
    title: "chase 2048 4096 10000",
    about:
      "A pointer chase over 2,048 pages in random order, from its first instruction, recorded with valgrind.",
    teachesAt: 42_025,
  },
  {
    id: "matmul24",
    file: "matmul24.pagewalk.gz",
    title: "matmul 24",
    about:
      "A 24 × 24 matrix product from its first instruction, recorded with valgrind.",
    teachesAt: 42_025,
  },
  {
    id: "shootdown",
    file: "shootdown.pagewalk.gz",
    title: "shootdown",
    about:
      "Made for lessons: two processors, a process switch, munmap, mprotect, fork and a copy on write. The key O steps through the operations.",
    cores: "cpu",
    at: 60,
  },
];

export function builtInTrace(id: string): BuiltInTrace | undefined {
  return BUILT_IN_TRACES.find((trace) => trace.id === id);
}

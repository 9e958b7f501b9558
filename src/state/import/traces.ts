import type { Cores } from "../../engine/generated/Cores";

/** The traces that ship with the app. */
export interface BuiltInTrace {
  /** The name in links. */
  readonly id: string;
  /** File name below `traces/`: the trace as Pagewalk saves it, packed with gzip. */
  readonly file: string;
  /** The command that was recorded, as it is shown. */
  readonly title: string;
  readonly about: string;
  /** What has a core of its own, where the trace is about that. */
  readonly cores?: Cores;
  /** The access that it opens at; without it, a walk that is worth a look. */
  readonly at?: number;
}

/** The first one is what the app opens with. */
export const BUILT_IN_TRACES: readonly [BuiltInTrace, ...BuiltInTrace[]] = [
  {
    id: "chase",
    file: "chase.pagewalk.gz",
    title: "chase 2048 4096 10000",
    about:
      "A pointer chase over 2,048 pages in random order, from its first instruction on, recorded with valgrind.",
  },
  {
    id: "matmul24",
    file: "matmul24.pagewalk.gz",
    title: "matmul 24",
    about:
      "A 24 × 24 matrix product from its first instruction on, recorded with valgrind.",
  },
  {
    id: "shootdown",
    file: "shootdown.pagewalk.gz",
    title: "shootdown",
    about:
      "Made for lessons: two processors, a switch of process, munmap, mprotect, fork and a copy on write. The key O steps through the operations.",
    cores: "cpu",
    at: 60,
  },
];

export function builtInTrace(id: string): BuiltInTrace | undefined {
  return BUILT_IN_TRACES.find((trace) => trace.id === id);
}

/** The traces that ship with the app. */
export interface BuiltInTrace {
  /** The name in links. */
  readonly id: string;
  /** File name below `traces/`: the trace as Pagewalk saves it, packed with gzip. */
  readonly file: string;
  /** The command that was recorded, as it is shown. */
  readonly title: string;
  readonly about: string;
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
];

export function builtInTrace(id: string): BuiltInTrace | undefined {
  return BUILT_IN_TRACES.find((trace) => trace.id === id);
}

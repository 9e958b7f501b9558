import type { Cores } from "../../engine/generated/Cores";
import type { Given } from "../../engine/generated/Given";
import { baseId } from "../../model/config/cpus";
import { same } from "../../model/shared/mergePatch";
import type { Configuration } from "../config/configurations";

export type TraceId =
  | "chase"
  | "first"
  | "matmul24"
  | "shootdown"
  | "csapp"
  | "ostep"
  | "belady"
  | "sort-profile";

/** The example traces of the app. */
export interface BuiltInTrace {
  /** The name in links. */
  readonly id: TraceId;
  /** The file name below `traces/`: the trace in Pagewalk's format, compressed with gzip. */
  readonly file: string;
  /** The recorded command, for display. */
  readonly title: string;
  /** The kind of cores, if the trace is about that. */
  readonly cores?: Cores;
  /** It has samples, which only an import reads. */
  readonly isProfile?: boolean;
  /** The CPU model that it is made for. */
  readonly cpu?: string;
  /** The pages that are mapped before its first access. */
  readonly given?: Given;
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
    teachesAt: 42_025,
  },
  {
    id: "first",
    file: "first.pagewalk.gz",
    title: "one load and more",
    at: 0,
    given: {
      pages: [
        { page: "0x7f3a1c2b5", frame: "0x1388b" },
        { page: "0x7f3a1c2b6", frame: "0x13a07" },
      ],
      tables: ["0x1a3c", "0x2b4d", "0x3e12", "0x5f07"],
    },
  },
  {
    id: "matmul24",
    file: "matmul24.pagewalk.gz",
    title: "matmul 24",
    teachesAt: 42_025,
  },
  {
    id: "shootdown",
    file: "shootdown.pagewalk.gz",
    title: "shootdown",
    cores: "cpu",
    at: 60,
  },
  {
    id: "csapp",
    file: "csapp.pagewalk.gz",
    title: "addresses of CS:APP",
    cpu: "csapp-14bit",
    at: 0,
  },
  {
    id: "ostep",
    file: "ostep.pagewalk.gz",
    title: "array of OSTEP",
    cpu: "ostep-16-byte",
    at: 0,
  },
  {
    id: "belady",
    file: "belady.pagewalk.gz",
    title: "1 2 3 4 1 2 5 1 2 3 4 5",
    cpu: "toy-4-entry:fifo",
    at: 0,
  },
];

/** A profile, for the screen Samples: it has no accesses, so it is no trace for Replay. */
export const SAMPLES_EXAMPLE: BuiltInTrace = {
  id: "sort-profile",
  file: "sort-profile.pagewalk.gz",
  title: "seq 60000 | sort -R | sort -n",
  isProfile: true,
};

/** The configuration with the state that an example is given; otherwise without that of another example. */
export function withGivenOf(
  configuration: Configuration,
  { given: wanted }: Pick<BuiltInTrace, "given"> = {},
): Configuration {
  const { given, ...os } = configuration.setup.os;
  const isExamples = BUILT_IN_TRACES.some(
    (trace) => trace.given !== undefined && same(trace.given, given),
  );
  if (!wanted && !isExamples) return configuration;
  const next = wanted ? { ...os, given: wanted } : os;
  return { ...configuration, setup: { ...configuration.setup, os: next } };
}

/** The example for a CPU model, on this model: an example for one of its variants is for all of them. */
export function traceFor(cpu: string): BuiltInTrace | undefined {
  const own = BUILT_IN_TRACES.find(
    (trace) => trace.cpu !== undefined && baseId(trace.cpu) === baseId(cpu),
  );
  return own && { ...own, cpu };
}

export function builtInTrace(id: string): BuiltInTrace | undefined {
  return [...BUILT_IN_TRACES, SAMPLES_EXAMPLE].find((trace) => trace.id === id);
}

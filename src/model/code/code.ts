/** Programs that a user writes: their names, their limits, and the results of their runs. */
import type { AttributionView } from "../../engine/generated/AttributionView";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { MachineView } from "../../engine/generated/MachineView";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { RunReport } from "../../engine/generated/RunReport";
import type { StepView } from "../../engine/generated/StepView";
import type { TraceView } from "../../engine/generated/TraceView";
import type { AttributionFilter } from "../attribution/rows";
import type { Share } from "../shared/units";
import type { Build } from "./build";
import type { Diagnostic, ProgramResult, ProgramStep } from "./program";
import type { TimelineColumns } from "../timeline/counts";

/** The part of a program that is saved, linked to and run. */
export interface ProgramText {
  readonly name: string;
  readonly code: string;
  /** How it is compiled; missing for JavaScript. */
  readonly build?: Build | undefined;
}

/** A region that a program created. */
export interface ProgramArray {
  readonly name: string;
  /** Addresses are below 2⁴⁷, so that numbers can hold them. */
  readonly start: number;
  readonly length: number;
  /** Bytes per element. */
  readonly size: number;
}

export interface CodeResult {
  readonly accesses: number;
  readonly arrays: readonly ProgramArray[];
  /** The text that the code wrote with `console.log`. */
  readonly log: readonly string[];
  /** More about a program in C or C++. */
  readonly compiled?: ProgramResult;
}

export interface CodeProblem {
  readonly message: string;
  /** The line of the error, from 1; missing if it has none. */
  readonly line?: number;
  /** What the compiler says; the first error is the message. */
  readonly diagnostics?: readonly Diagnostic[];
  /** What the program had printed. */
  readonly output?: string;
  /** Whether the program ran, but left no accesses to show. */
  readonly hasRun?: boolean;
}

/** Whether the compiler is in this browser. */
export type CompilerPhase =
  | { readonly status: "kept" }
  | {
      readonly status: "missing";
      /** The bytes of the download. */
      readonly bytes: number;
      readonly problem?: string | undefined;
    }
  | {
      readonly status: "loading";
      readonly done: number;
      readonly bytes: number;
    };

/** A run that has not ended well; a run that has is a `ProgramShown`. */
export type ProgramRun =
  | {
      readonly status: "running";
      readonly accesses: number;
      /** What is being done for a program in C or C++. */
      readonly step?: ProgramStep | undefined;
    }
  | { readonly status: "failed"; readonly problem: CodeProblem };

/** How far a count has come; `total` is missing if it is unknown. */
export interface Counting {
  readonly done: number;
  readonly total?: number | undefined;
}

/** The machine on which programs run; the counted part of a trace does not apply to them. */
export interface ProgramSetup {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
}

/** The machine that the page opens with, for which the examples are written. */
export interface CodeHome extends ProgramSetup {
  readonly name: string;
}

/**
 * The last run that ended well, complete: the name that it ran under and the pictures of its accesses. It is
 * replaced as a whole, so a name never stands above the picture of another program.
 */
export interface ProgramShown extends ProgramText {
  readonly result: CodeResult;
  /** The accesses in the importer's format. */
  readonly file: () => Blob;
  readonly setup: ProgramSetup;
  readonly trace: TraceView;
  readonly machine: MachineView;
  readonly report: RunReport;
  readonly timeline: TimelineColumns;
  /** The accesses that the timeline is limited to. */
  readonly only?: AttributionFilter | undefined;
  /** Missing while misses are counted. */
  readonly attribution?: AttributionView;
  /** The access at the cursor; the previous one while another is looked up. */
  readonly step?: StepView;
}

export interface CodeProgram extends ProgramText {
  /** The code as a link holds it; `undefined` while it is being compressed, and if it is too long. */
  readonly packed: string | undefined;
  readonly isTooLong: boolean;
  /**
   * What the first run waits for: the `screen`, which runs it as soon as it can, or the `reader`, because unknown
   * code came with a link.
   */
  readonly waits: "screen" | "reader" | undefined;
  readonly run: ProgramRun | undefined;
  /** While the accesses of the pictures are counted by line. */
  readonly counting?: Counting | undefined;
  readonly shown: ProgramShown | undefined;
  /** The setup of the last run, whether or not it ended well. */
  readonly tried: ProgramSetup | undefined;
}

/** A program that is put aside while its place has another language. */
export type Draft = ProgramText & Pick<CodeProgram, "waits">;

/** One program, or two that are compared. */
export type CodePrograms =
  readonly [CodeProgram] | readonly [CodeProgram, CodeProgram];

/** A program's place on the screen. */
export type ProgramSlot = 0 | 1;

export interface CodeState {
  readonly programs: CodePrograms;
  /** The cursor as a share of each program. */
  readonly at: Share;
  /** The part of each program that the timelines show, in shares. */
  readonly span: { readonly from: Share; readonly to: Share };
  /** Missing before a program needs it. */
  readonly compiler?: CompilerPhase | undefined;
}

/** The program in a slot; `undefined` if there is none. */
export function programAt(
  code: Pick<CodeState, "programs"> | undefined,
  slot: ProgramSlot,
): CodeProgram | undefined {
  const programs: readonly CodeProgram[] = code?.programs ?? [];
  return programs[slot];
}

export const SCRIPT_LIMITS = {
  accesses: 20_000_000,
  seconds: 10,
  /** The largest length of the code in characters. */
  code: 100_000,
} as const;

/** The largest length in a link: mail and chat programs keep such a link whole. */
export const MAX_LINK = 4_000;

export const NOT_LOADED =
  "The part that runs programs could not be loaded: reload the page and run it again.";

/** The name of a program without one. */
export function programName(name: string): string {
  const short = name.trim().slice(0, 80);
  return short === "" ? "my program" : short;
}

/** Returns whether the pictures wait for a run, or belong to another machine. */
export function isStale(
  { run, shown }: CodeProgram,
  setup: ProgramSetup | undefined,
): boolean {
  if (!shown) return false;
  return run?.status === "running" || !sameSetup(shown.setup, setup);
}

export function sameSetup(
  one: ProgramSetup | undefined,
  other: ProgramSetup | undefined,
): boolean {
  return one?.machine === other?.machine && one?.os === other?.os;
}

/** The rules of the worker's queue: the needs of each call, and the calls that may overtake a task. */
import type { CallName, Name, TaskName } from "./calls";

interface Rule {
  /** The small module that the site opens with can do it, too. */
  readonly isSmall?: boolean;
  /**
   * Whether its effect is part of the session's state. Then the whole module repeats the last such call when it
   * takes over from the small one.
   */
  readonly lasts?: boolean;
  /** Only the newest is of interest: it drops older ones that wait, or those that run as well. */
  readonly latest?: "waiting" | "all";
}

export interface CallRule extends Rule {
  /** `module`: it is answered immediately, even while a task runs. `session`: it waits for its turn. */
  readonly needs: "module" | "session";
  /** The part of the argument `file` that is read before the call: the beginning, or all of it, unpacked. */
  readonly reads?: "head" | "all";
}

export interface TaskRule extends Rule {
  /** The calls that may be done between two slices of it. */
  readonly passes: (other: Name) => boolean;
  /** The media type of the file that it makes, in parts. */
  readonly makes?: string;
  /** Whether it is one of many runs: it has the argument `hash`, and tasks of other kinds go first. */
  readonly isRow?: boolean;
}

const nothing = () => false;
const only =
  (...names: readonly Name[]) =>
  (other: Name) =>
    names.includes(other);
const allBut =
  (...names: readonly Name[]) =>
  (other: Name) =>
    !names.includes(other);

const atOnce = { needs: "module" } as const;
const inTurn = { needs: "session" } as const;

export const CALLS: Readonly<Record<CallName, CallRule>> = {
  cpus: { ...atOnce, isSmall: true },
  open: { ...inTurn, isSmall: true, lasts: true, reads: "all" },
  configure: { ...inTurn, isSmall: true, lasts: true },
  seek: { ...inTurn, isSmall: true, latest: "waiting" },
  crash: { ...inTurn, isSmall: true },
  prefetch: atOnce,
  checkMachine: atOnce,
  peek: { ...atOnce, reads: "head" },
  workloads: atOnce,
  checkWorkload: atOnce,
  experiments: atOnce,
  oracles: atOnce,
  verify: atOnce,
  measure: atOnce,
  sweepRows: atOnce,
  sweepTable: atOnce,
  seekPair: { ...inTurn, latest: "waiting" },
};

/** A pair has its own machines, but a new trace would end it. */
const besidePair = only("seekPair", "seek", "run", "timeline", "find");
/** A whole run has trace and machine for itself. */
const besideWhole = allBut("runWhole", "runRow", "analyse");

export const TASKS: Readonly<Record<TaskName, TaskRule>> = {
  // A run works on the replay that seeks move.
  run: { isSmall: true, lasts: true, passes: nothing },
  find: { isSmall: true, passes: only("seek") },
  timeline: { isSmall: true, passes: only("seek"), latest: "all" },
  import: { passes: nothing },
  generate: { passes: nothing },
  save: { passes: nothing, makes: "" },
  export: { passes: nothing, makes: "text/plain" },
  attribution: { passes: only("seek") },
  experiment: { passes: only("seek") },
  survey: { passes: only("seek") },
  analyse: { passes: allBut("analyse") },
  runWhole: { passes: besideWhole },
  runRow: { passes: besideWhole, isRow: true },
  openPair: { passes: only("seek", "run", "timeline", "find") },
  findDifference: { passes: besidePair },
  comparePair: { passes: besidePair },
  pairRegions: { passes: besidePair },
};

export function isTask(name: Name): name is TaskName {
  return name in TASKS;
}

export function ruleOf(name: Name): Rule {
  return isTask(name) ? TASKS[name] : CALLS[name];
}

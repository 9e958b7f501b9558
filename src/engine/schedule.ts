/** The rules of the worker's queue: the needs of each call, and the calls that may overtake a task. */
import type { CallName, Name, TaskName } from "./calls";

interface Rule {
  /** Whether the small module that the site opens with has the call, too. */
  readonly isSmall?: boolean;
  /**
   * Whether the effect of the call is part of the session's state. The whole module repeats the last such call when
   * it replaces the small one.
   */
  readonly lasts?: boolean;
  /** The older calls of the same name that a new call cancels: those that wait, or also the one that runs. */
  readonly latest?: "waiting" | "all";
}

export interface CallRule extends Rule {
  /**
   * A call that needs only the `module` is answered immediately, even while a task runs. A call that needs the
   * `session` waits for its turn.
   */
  readonly needs: "module" | "session";
  /** The part of the argument `file` that is read before the call: the beginning, or the whole file, decompressed. */
  readonly reads?: "head" | "all";
}

export interface TaskRule extends Rule {
  /** Returns whether another call may run between two slices of the task. */
  readonly passes: (other: Name) => boolean;
  /** The media type of the file that the task writes in parts, if it writes one. */
  readonly makes?: string;
  /** Whether the task is one of many runs. It then has the argument `hash`, and tasks of other kinds go first. */
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
  describe: { ...inTurn, reads: "all" },
  sourceAt: { ...inTurn, latest: "waiting" },
  workloads: atOnce,
  checkWorkload: atOnce,
  experiments: atOnce,
  oracles: atOnce,
  verify: atOnce,
  measure: atOnce,
  sweepRows: atOnce,
  sweepTable: atOnce,
  seekPair: { ...inTurn, latest: "waiting" },
  ask: inTurn,
  answer: inTurn,
  exercise: atOnce,
  exerciseQuestions: inTurn,
  exerciseLine: atOnce,
  gradeExercise: inTurn,
};

/** A pair has its own machines, so these calls may run next to it. A new trace would end the pair. */
const pairPasses = only("seekPair", "seek", "run", "timeline", "find");
/** A whole run has its own machine and keeps its trace, so nearly every other call may run next to it. */
const wholePasses = allBut("runWhole", "runRow", "analyse");

export const TASKS: Readonly<Record<TaskName, TaskRule>> = {
  // Seeks would move the replay that a run works on.
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
  compareChase: { passes: allBut("compareChase") },
  analyse: { passes: allBut("analyse") },
  runWhole: { passes: wholePasses },
  runRow: { passes: wholePasses, isRow: true },
  openPair: { passes: only("seek", "run", "timeline", "find") },
  findDifference: { passes: pairPasses },
  comparePair: { passes: pairPasses },
  pairRegions: { passes: pairPasses },
};

export function isTask(name: Name): name is TaskName {
  return name in TASKS;
}

export function ruleOf(name: Name): Rule {
  return isTask(name) ? TASKS[name] : CALLS[name];
}

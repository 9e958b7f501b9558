/**
 * A file before its import: how to read it, which part to import, and whether the user must choose anything.
 */
import type { Bound } from "../../engine/generated/Bound";
import type { ImportRequest } from "../../engine/generated/ImportRequest";
import type { ListColumn } from "../../engine/generated/ListColumn";
import type { ListLayout } from "../../engine/generated/ListLayout";
import type { ListView } from "../../engine/generated/ListView";
import type { Mode } from "../../engine/generated/Mode";
import type { Peek } from "../../engine/generated/Peek";
import type { Selection } from "../../engine/generated/Selection";
import { isGuessed } from "./formats";

/** How to read a file; missing values are detected. */
export type Reading = Pick<ImportRequest, "format" | "list">;

/** Which part of a file to import, as the user typed it. Empty lists and texts select everything. */
export interface Take {
  readonly pids: readonly number[];
  readonly tids: readonly number[];
  /** Words among the processes and threads that are no ids. */
  readonly wrongPids: readonly string[];
  readonly wrongTids: readonly string[];
  /** Column numbers as the core takes them: `#1` is the first column. */
  readonly events: readonly string[];
  readonly modes: readonly Mode[];
  /** The unit of `from` and `to`. */
  readonly unit: "accesses" | "seconds";
  readonly from: string;
  readonly to: string;
  /** Keeps `keep` of every `of` accesses. */
  readonly keep: string;
  readonly of: string;
  /** The largest number of accesses. */
  readonly limit: string;
}

export const TAKE_ALL: Take = {
  pids: [],
  tids: [],
  wrongPids: [],
  wrongTids: [],
  events: [],
  modes: [],
  unit: "accesses",
  from: "",
  to: "",
  keep: "",
  of: "",
  limit: "",
};

export type TakeField = "from" | "to" | "keep" | "of" | "limit";

/** The core's request, or the error in what the user typed. */
export type Taken =
  | { readonly select?: Selection; readonly limit?: number }
  | { readonly problems: TakeProblems };

/** Errors of processes and threads appear at their own lists. */
type TakeProblems = Partial<Record<TakeField | "ids", string>>;

export function taken(take: Take): Taken {
  const problems: TakeProblems = {};
  if (take.wrongPids.length > 0 || take.wrongTids.length > 0)
    problems.ids = "Processes and threads are numbers, such as 1234.";
  const number = (field: TakeField): number | undefined => {
    const text = take[field].replaceAll(/[,_\s]/g, "");
    if (text === "") return undefined;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    problems[field] = "Write a whole number, such as 1,000,000.";
    return undefined;
  };
  const bound = (field: "from" | "to"): Bound | undefined => {
    if (take.unit === "accesses") {
      const access = number(field);
      return access === undefined ? undefined : { access };
    }
    const text = take[field].trim();
    if (text === "") return undefined;
    const time = Math.round(Number(text) * 1e9);
    if (Number.isSafeInteger(time) && time >= 0) return { time };
    problems[field] = "Write seconds after the first record, such as 1.5.";
    return undefined;
  };
  const from = bound("from");
  const to = bound("to");
  if (isEmpty(from, to)) problems.to = "The end must be after the beginning.";
  const keep = number("keep");
  const of = number("of");
  if (keep === undefined && of !== undefined)
    problems.keep = "How many accesses of each part?";
  if (keep !== undefined && of === undefined && problems.of === undefined)
    problems.of = "Of how many accesses?";
  if (keep !== undefined && of !== undefined && !(keep > 0 && keep <= of))
    problems.keep = "Write 1 up to the size of a part.";
  const limit = number("limit");
  if (limit === 0) problems.limit = "Write 1 or more.";
  if (Object.keys(problems).length > 0) return { problems };
  const select: Selection = {
    ...chosen(take).select,
    ...(from && { from }),
    ...(to && { to }),
    ...(keep !== undefined && of !== undefined && { every: { keep, of } }),
  };
  return {
    ...(Object.keys(select).length > 0 && { select }),
    ...(limit !== undefined && { limit }),
  };
}

/** The fields of a selection that decide whose accesses it contains. */
export function chosen({ pids, tids, events, modes }: Take): {
  readonly select?: Selection;
} {
  const select: Selection = {
    ...(pids.length > 0 && { pids: [...pids] }),
    ...(tids.length > 0 && { tids: [...tids] }),
    ...(events.length > 0 && { events: [...events] }),
    ...(modes.length > 0 && { modes: [...modes] }),
  };
  return Object.keys(select).length > 0 ? { select } : {};
}

function isEmpty(from: Bound | undefined, to: Bound | undefined): boolean {
  if (!to) return false;
  const number = (bound: Bound) =>
    "access" in bound ? bound.access : bound.time;
  return number(to) <= (from ? number(from) : 0);
}

/** Reads processes or threads as the user types them: `123, guest:456`. */
export interface TypedIds {
  readonly ids: readonly number[];
  /** The words in the text that are no valid ids. */
  readonly wrong: readonly string[];
}

export function idsOf(
  text: string,
  idOf: (word: string) => number | undefined,
): TypedIds {
  const words = text.split(/[,;\s]+/).filter((word) => word !== "");
  const ids = words.flatMap((word) => idOf(word) ?? []);
  return {
    ids: [...new Set(ids)],
    wrong: words.filter((word) => idOf(word) === undefined),
  };
}

/** A file up to this size in bytes is imported without a dialog, if nothing is open. */
const AT_ONCE = 64_000_000;

/** Returns whether the file can be imported at once: nothing is guessed, left out or open. */
export function isClear(peek: Peek, bytes: number): boolean {
  const { report, list, lone_column, problem } = peek;
  if (!report || problem || bytes > AT_ONCE) return false;
  const isSure =
    !isGuessed(report.format) &&
    lone_column === undefined &&
    !list?.base_is_guessed;
  return (
    isSure &&
    report.completeness === "complete" &&
    report.warnings.length === 0 &&
    (report.processes?.length ?? 0) <= 1
  );
}

/** The error of reading the file. A selection that has no access at the file's beginning is no error. */
export function peekProblem({ problem, is_whole }: Peek): Peek["problem"] {
  if (!problem || is_whole) return problem;
  const isOfSelection =
    problem.at && "field" in problem.at && problem.at.field === "select";
  return isOfSelection ? undefined : problem;
}

export const LIST_COLUMNS: readonly {
  readonly value: ListColumn;
  readonly word: string;
}[] = [
  { value: "address", word: "address" },
  { value: "kind", word: "kind" },
  { value: "size", word: "size" },
  { value: "ip", word: "instruction" },
  { value: "pid", word: "process" },
  { value: "tid", word: "thread" },
  { value: "cpu", word: "CPU" },
  { value: "time", word: "time" },
  { value: "operands", word: "operands" },
];

/** The list with a new role for a column; another column with this role loses it. */
export function withColumn(
  layout: ListLayout | undefined,
  { columns }: ListView,
  at: number,
  role: ListColumn | null,
): ListLayout {
  const next = columns.map((old, i) => {
    if (i === at) return role;
    return old === role ? null : old;
  });
  return { ...layout, columns: next };
}

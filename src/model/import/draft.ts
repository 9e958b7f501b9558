/** A file that may be imported: how it would be read, what of it is wanted, and whether anything must be asked. */
import type { Bound } from "../../engine/generated/Bound";
import type { ImportRequest } from "../../engine/generated/ImportRequest";
import type { ListColumn } from "../../engine/generated/ListColumn";
import type { ListLayout } from "../../engine/generated/ListLayout";
import type { ListView } from "../../engine/generated/ListView";
import type { Mode } from "../../engine/generated/Mode";
import type { Peek } from "../../engine/generated/Peek";
import type { Selection } from "../../engine/generated/Selection";

/** How a file is read; what is missing is found out. */
export type Reading = Pick<ImportRequest, "format" | "list">;

/** What of a file is wanted, as it is typed. Empty lists and texts want all. */
export interface Take {
  readonly pids: readonly number[];
  readonly tids: readonly number[];
  /** Words typed among the processes and threads that are none. */
  readonly wrongPids: readonly string[];
  readonly wrongTids: readonly string[];
  /** As the core takes them: `#1` is the first of the list. */
  readonly events: readonly string[];
  readonly modes: readonly Mode[];
  /** What `from` and `to` count. */
  readonly unit: "accesses" | "seconds";
  readonly from: string;
  readonly to: string;
  /** `keep` of every `of` accesses. */
  readonly keep: string;
  readonly of: string;
  /** Accesses at most. */
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

/** What the core is asked for, or what is wrong with what is typed. */
export type Taken =
  | { readonly select?: Selection; readonly limit?: number }
  | { readonly problems: TakeProblems };

/** Processes and threads are told beside their own lists. */
type TakeProblems = Partial<Record<TakeField | "ids", string>>;

export function taken(take: Take): Taken {
  const problems: TakeProblems = {};
  if (take.wrongPids.length > 0 || take.wrongTids.length > 0)
    problems.ids = "Processes and threads are numbers, such as 1234.";
  const number = (field: TakeField): number | undefined => {
    const text = take[field].replaceAll(/[,_\s]/g, "");
    if (text === "") return undefined;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    problems[field] = "A whole number, such as 1,000,000.";
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
    problems[field] = "Seconds after the first record, such as 1.5.";
    return undefined;
  };
  const from = bound("from");
  const to = bound("to");
  if (isEmpty(from, to)) problems.to = "It must be above the beginning.";
  const keep = number("keep");
  const of = number("of");
  if (keep === undefined && of !== undefined)
    problems.keep = "How many of them are kept?";
  if (keep !== undefined && of === undefined && problems.of === undefined)
    problems.of = "Of how many?";
  if (keep !== undefined && of !== undefined && !(keep > 0 && keep <= of))
    problems.keep = "From 1 to as many as there are in each part.";
  const limit = number("limit");
  if (limit === 0) problems.limit = "At least one access.";
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

/** What of it decides whose accesses they are. */
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

/** Processes or threads, as they are typed: `123, guest:456`. */
export interface TypedIds {
  readonly ids: readonly number[];
  /** The words that name none. */
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

/** Bytes of a file that is imported without asking, if there is nothing to ask. */
const AT_ONCE = 64_000_000;

/** Formats that are told from the sizes and values of their records alone. */
const GUESSED: readonly string[] = ["champsim"];

/** Nothing about the file is guessed, left out or to be chosen: it can be imported as it is. */
export function isClear(peek: Peek, bytes: number): boolean {
  const { report, list, lone_column, problem } = peek;
  if (!report || problem || bytes > AT_ONCE) return false;
  const isSure =
    !GUESSED.includes(report.format) &&
    lone_column === undefined &&
    !list?.base_is_guessed;
  return (
    isSure &&
    report.completeness === "complete" &&
    report.warnings.length === 0 &&
    (report.processes?.length ?? 0) <= 1
  );
}

/** What is wrong with the file as it is read; a beginning without a wanted access is nothing wrong. */
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

/** The list with another role for a column; a role that another column had moves. */
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

/** The trace of an exercise as lines: the CSV of an export without the columns that say nothing. */
export { MAX_ACCESSES as MOST_ACCESSES } from "../../engine/generated/exerciseRules";

/** More accesses would not fit a link; they go into a file. */
export const LINK_ACCESSES = 2000;

/** A file with more accesses would take too long in every student's browser. */
export const FILE_ACCESSES = 200_000;

/** These columns stay even if all rows have the same value. */
const KEPT = ["kind", "address", "size"];

export interface TraceLines {
  readonly lines: string;
  /** What the lines do not hold. */
  readonly lost: readonly string[];
}

/** Removes instruction pointers, and columns with one value in all rows. */
export function compactLines(csv: string): TraceLines {
  const [head = "", ...rows] = csv.trimEnd().split("\n");
  const names = head.split(",");
  const cells = rows.map((row) => row.split(","));
  const isPlain = cells.every((row) => row.length === names.length);
  // Quoted cells contain commas: such a trace stays as it is.
  if (!isPlain) return { lines: csv, lost: [] };
  const at = names.flatMap((name, column) => {
    if (KEPT.includes(name)) return [column];
    const values = new Set(cells.map((row) => row[column] ?? ""));
    return name === "ip" || values.size === 1 ? [] : [column];
  });
  const pick = (row: readonly string[]) =>
    at.map((column) => row[column] ?? "");
  const ip = names.indexOf("ip");
  const hasIp = ip >= 0 && cells.some((row) => (row[ip] ?? "") !== "");
  return {
    lines: [names, ...cells].map((row) => pick(row).join(",")).join("\n"),
    lost: hasIp ? ["instruction pointers"] : [],
  };
}

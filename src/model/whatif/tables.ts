/** The numbers of the what-if panels as CSV. */
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import type { RunReport } from "../../engine/generated/RunReport";
import type { Surface } from "../../engine/generated/Surface";
import type { WorkingSet } from "../../engine/generated/WorkingSet";
import { csv } from "../shared/csv";
import { allRows } from "./curves";
import type { CurveLine, OwnPoint } from "./curves";
import { perAccess } from "./pages";
import type { PagesRow } from "./pages";
import { missCycles } from "./savings";

/** Misses by entries, one column per line. */
export function curvesCsv(
  lines: readonly CurveLine[],
  points: readonly OwnPoint[],
): string {
  return csv([
    ["entries", ...lines.map(({ name }) => name)],
    ...allRows(lines, points),
  ]);
}

/** Misses by sets and ways. */
export function surfaceCsv(surface: Surface | undefined): string {
  return csv([
    ["sets", "ways", "misses"],
    ...(surface?.rows ?? []).map(({ sets, ways, misses }) => [
      sets,
      ways,
      misses,
    ]),
  ]);
}

/** Walks left, and their cycles, by the number of huge pages. */
export function walksLeftCsv(advice: HugeAdvice | undefined): string {
  return csv([
    ["huge pages", "walks", "miss cycles", "more bytes"],
    ...(advice?.points ?? []).map((point) => [
      point.huge_pages,
      point.walks,
      missCycles(point),
      point.extra_bytes,
    ]),
  ]);
}

/** One row per page policy. */
export function pagesCsv(rows: readonly PagesRow[]): string {
  return csv([
    ["policy", "walks", "references", "cycles per access", "wasted bytes"],
    ...rows.map(({ choice, report }) => [
      choice.name,
      report?.walks.walks,
      report?.walks.refs,
      report && perAccess(report),
      report?.memory.waste_bytes,
    ]),
  ]);
}

/** One row per interval. */
export function workingSetCsv(found: WorkingSet | undefined): string {
  return csv([
    ["first access", "accesses", "mean pages", "least", "most", "change"],
    ...(found?.intervals ?? []).map((each) => [
      each.first,
      each.accesses,
      each.mean,
      each.least,
      each.most,
      each.change,
    ]),
  ]);
}

/** References and cycles of walks, one row per change. */
export function sensitivityCsv(
  rows: readonly {
    readonly name: string;
    readonly report: RunReport | undefined;
  }[],
): string {
  return csv([
    ["change", "references", "walk cycles"],
    ...rows.map(({ name, report }) => [
      name,
      report?.walks.refs,
      report?.cycles.walk,
    ]),
  ]);
}

/** What a lesson shows of its whole run: counts, outcomes over time, misses by size, and programs. */
import type { Curve } from "../../engine/generated/Curve";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RunReport } from "../../engine/generated/RunReport";
import { smallestPage } from "../config/defaults";
import { SCRIPT_PAIRS } from "../code/scriptExamples";
import type { ProgramText } from "../code/code";
import { bytesOf } from "../shared/pageSizes";
import type { TimelineColumns } from "../timeline/counts";
import { curveLine, ownPoints } from "../whatif/curves";
import type { CurveLine, OwnPoint } from "../whatif/curves";
import type { Lesson, LessonPart } from "./lesson";

export interface WholeRun {
  readonly report: RunReport;
  /** Page numbers of entries that are in a TLB before the first access. */
  readonly given: ReadonlySet<bigint>;
  /** Both are missing if no step of the lesson shows them. */
  readonly timeline?: TimelineColumns;
  readonly curve?: LessonCurve;
}

export interface LessonCurve {
  readonly line: CurveLine;
  readonly points: readonly OwnPoint[];
}

export function shows({ steps }: Lesson, part: LessonPart): boolean {
  return steps.some(({ show }) => show.includes(part));
}

/** The page size for which misses by size are counted: that of the mapping, or the smallest of a policy. */
export function curveSize(
  machine: MachineConfig,
  { default: pages }: Pick<OsConfig, "default">,
): PageSize {
  return Number.isFinite(bytesOf(pages)) ? pages : smallestPage(machine);
}

export function lessonCurve(
  machine: MachineConfig,
  size: PageSize,
  curve: Curve,
  report: RunReport,
): LessonCurve {
  return {
    line: curveLine(size, 0, curve),
    points: ownPoints(machine, report, "data", size),
  };
}

/** The program of a lesson and the one that examples compare it with, in the order of the examples. */
export function programsOf({ trace }: Lesson): readonly ProgramText[] {
  if (!("code" in trace)) return [];
  const pair = SCRIPT_PAIRS.find(({ programs }) =>
    programs.some(({ code }) => code === trace.code),
  );
  return pair?.programs ?? [trace];
}

/** The size in a program: `const n = 2048;`. */
const SIZE = /\bconst n = (\d+);/;

/** Sizes to run programs with, of which the last is their own; none if they do not share one. */
export function sizesOf(programs: readonly ProgramText[]): readonly number[] {
  const own = programs.map(({ code }) => Number(SIZE.exec(code)?.[1]));
  const [n = Number.NaN] = own;
  if (!(n >= 4) || own.some((each) => each !== n)) return [];
  return [1, 2, 3, 4].map((quarters) => Math.floor((n * quarters) / 4));
}

export function withSize({ name, code }: ProgramText, n: number): ProgramText {
  return { name, code: code.replace(SIZE, `const n = ${n};`) };
}

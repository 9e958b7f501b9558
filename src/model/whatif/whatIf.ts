/** The machines that all parts of the what-if screen share: the configured one, the changed one, and their runs. */
import type { PageSize } from "../../engine/generated/PageSize";
import type { RunReport } from "../../engine/generated/RunReport";
import type { RunWindow } from "../../engine/generated/RunWindow";
import type { TraceView } from "../../engine/generated/TraceView";
import { isAsRecorded } from "../config/pagePolicies";
import { counted, delta } from "../shared/format";
import { same } from "../shared/mergePatch";
import { changeText } from "./effect";
import { arraysOf, usualArray } from "./machine";
import type { ArrayPlace } from "./machine";
import { baseSize, onlySize } from "./pages";
import { KINDS, changed } from "./questions";
import type { Asked, WhatIfView } from "./questions";
import type { SweepSetup } from "./sweep";

/** The machines without the trial's run. */
export interface WhatIf {
  readonly trace: TraceView;
  readonly cpu: string;
  readonly view: WhatIfView;
  /** The configured setup, and the changed one. */
  readonly own: SweepSetup;
  readonly now: SweepSetup;
  readonly isChanged: boolean;
  /** The replay's run; `undefined` while it runs. */
  readonly ownReport: RunReport | undefined;
  /** The replay's run if it counts what curves count: pages of one size. */
  readonly comparable: RunReport | undefined;
  /** Whether the run counts a part of the trace. */
  readonly isPart: boolean;
  /** The page size of the curves. */
  readonly size: PageSize;
  /** The shown array, as configured. */
  readonly place: ArrayPlace | undefined;
}

/** The machines with the trial's run. */
export interface Tried extends WhatIf {
  readonly nowRun: Asked<RunReport> | undefined;
  /** The run of the change, if it is known. */
  readonly nowReport: RunReport | undefined;
}

/** What the screen knows before anything is asked. */
export type WhatIfFacts = Pick<
  WhatIf,
  "trace" | "cpu" | "view" | "own" | "ownReport"
>;

/** The machines of a configuration and of what was changed in it. */
export function whatIfOf(facts: WhatIfFacts): WhatIf {
  const { cpu, view, own, ownReport } = facts;
  const isComparable = onlySize(own.os) !== undefined;
  const now = changed(own, cpu, view.change);
  const size =
    (isAsRecorded(own.os) ? facts.trace.recorded?.others : undefined) ??
    baseSize(own.os, own.machine);
  const place =
    arraysOf(own.machine).find(({ id }) => id === view.structure) ??
    usualArray(own.machine, KINDS[view.kinds], size);
  return {
    ...facts,
    now,
    isChanged: now !== own,
    comparable: isComparable ? ownReport : undefined,
    isPart: own.window !== undefined,
    size,
    place,
  };
}

/** The part of the trace that a question counts, if the run counts only a part. */
export function partOf({ window }: Pick<SweepSetup, "window">): {
  readonly window?: RunWindow;
} {
  return window ? { window } : {};
}

/** The pages of the questions about all uses, in words: `4K pages`, or those of the recording. */
export function pagesWords({
  own,
  size,
}: Pick<WhatIf, "own" | "size">): string {
  return isAsRecorded(own.os) ? "pages as recorded" : `${size} pages`;
}

/** What a run counts, in words. */
export function countedPart({ window }: Pick<SweepSetup, "window">): string {
  return window ? "the counted part" : "all accesses";
}

/** The effect in short: `walks −581`, or cycles if the walks stay the same. */
export function effectText({ ownReport, nowReport }: Tried): string {
  if (!ownReport || !nowReport) return "…";
  const walks = nowReport.walks.walks - ownReport.walks.walks;
  if (walks !== 0) return `walks ${delta(walks)}`;
  const { total } = nowReport.cycles;
  return `cycles ${changeText(ownReport.cycles.total, total)}`;
}

/** The number of changes: `1 change, all accesses`. */
export function changesText({ own, now }: WhatIf): string {
  const before = arraysOf(own.machine).map(({ array }) => array);
  const after = arraysOf(now.machine).map(({ array }) => array);
  const arrays = before.filter((array, at) => !same(array, after[at])).length;
  const others = [
    !same(own.machine.latency, now.machine.latency),
    !same(own.machine.memory, now.machine.memory),
    !same(own.machine.psc, now.machine.psc),
    !same(own.machine.ecpt, now.machine.ecpt),
    !same(own.os, now.os),
  ].filter(Boolean).length;
  return `${counted(arrays + others, "change")}, ${countedPart(own)}`;
}

/** What all parts of the what-if screen share: the machine as it is, as it is changed, and the runs of both. */
import { useMemo } from "react";
import type { Setup } from "../../engine/engine";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RunReport } from "../../engine/generated/RunReport";
import type { RunWindow } from "../../engine/generated/RunWindow";
import type { TraceView } from "../../engine/generated/TraceView";
import { changed } from "../../model/whatif/questions";
import type { Asked, WhatIfView } from "../../model/whatif/questions";
import { KINDS } from "../../model/whatif/questions";
import { arraysOf, usualArray } from "../../model/whatif/machine";
import type { ArrayPlace } from "../../model/whatif/machine";
import { baseSize, onlySize } from "../../model/whatif/pages";
import { useApp } from "../context";
import { useRun, valueOf } from "./useAsked";
import type { Configuration } from "../../state/config/configurations";

/** The machines that are looked at, without the runs of the one that is tried. */
export interface WhatIf {
  readonly trace: TraceView;
  readonly cpu: string;
  readonly view: WhatIfView;
  /** As it is configured, and as it is changed. */
  readonly own: Setup;
  readonly now: Setup;
  readonly isChanged: boolean;
  /** Of the replay; `undefined` while it runs. */
  readonly ownReport: RunReport | undefined;
  /** The same where it counts what curves are of: pages of one size. */
  readonly comparable: RunReport | undefined;
  /** Whether the run counts a part of the trace. */
  readonly isPart: boolean;
  /** The page size that curves are of. */
  readonly size: PageSize;
  /** The array that is looked at, as it is configured. */
  readonly place: ArrayPlace | undefined;
}

/** With the run of the machine that is tried. */
export interface Tried extends WhatIf {
  readonly nowRun: Asked<RunReport> | undefined;
  /** That of the change, if it is known. */
  readonly nowReport: RunReport | undefined;
}

export function useWhatIf(
  trace: TraceView,
  { cpu, setup: own }: Configuration,
): WhatIf {
  const view = useApp((state) => state.whatIf.view);
  const ownReport = useApp((state) => (state.stale ? undefined : state.report));
  // The same as long as nothing is other: what is drawn of it is large.
  return useMemo(() => {
    const isComparable = onlySize(own.os) !== undefined;
    const now = changed(own, cpu, view.change);
    const size = baseSize(own.os, own.machine);
    const place =
      arraysOf(own.machine).find(({ id }) => id === view.structure) ??
      usualArray(own.machine, KINDS[view.kinds], size);
    return {
      trace,
      cpu,
      view,
      own,
      now,
      isChanged: now !== own,
      ownReport,
      comparable: isComparable ? ownReport : undefined,
      isPart: own.window !== undefined,
      size,
      place,
    };
  }, [trace, cpu, own, view, ownReport]);
}

/** The part of the trace that a question is of, where the run counts no more. */
export function partOf({ window }: Setup): { readonly window?: RunWindow } {
  return window ? { window } : {};
}

/** What a run counts. */
export function countedPart({ window }: Setup): string {
  return window ? "the counted part" : "all accesses";
}

export function useTried(whatIf: WhatIf): Tried {
  const nowRun = useRun(whatIf.isChanged ? whatIf.now : undefined, true);
  return { ...whatIf, nowRun, nowReport: valueOf(nowRun) };
}

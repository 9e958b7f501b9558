/** The machines of the what-if screen from the store, and what its panels can do. */
import { useMemo } from "react";
import type { TraceView } from "../../engine/generated/TraceView";
import { valueOf } from "../../model/whatif/questions";
import { whatIfOf } from "../../model/whatif/whatIf";
import type { Tried, WhatIf } from "../../model/whatif/whatIf";
import type { Configuration } from "../../state/config/configurations";
import type { PanelActions } from "../../views/whatif/panelActions";
import { useActions, useApp } from "../context";
import { useRun } from "./useAsked";

export function useWhatIf(
  trace: TraceView,
  { cpu, setup: own }: Configuration,
): WhatIf {
  const view = useApp((state) => state.whatIf.view);
  const ownReport = useApp((state) => (state.stale ? undefined : state.report));
  // Keeps the same object while nothing changes, since the drawings are large.
  return useMemo(
    () => whatIfOf({ trace, cpu, view, own, ownReport }),
    [trace, cpu, view, own, ownReport],
  );
}

export function useTried(whatIf: WhatIf): Tried {
  const nowRun = useRun(whatIf.isChanged ? whatIf.now : undefined, true);
  return { ...whatIf, nowRun, nowReport: valueOf(nowRun) };
}

const NO_SIZES: readonly string[] = [];

/** The page sizes of the machine. */
export function usePageSizes(): readonly string[] {
  return useApp((state) => state.machine?.page_sizes ?? NO_SIZES);
}

export function usePanelActions(): PanelActions {
  const actions = useActions();
  return {
    onChange: (to) => void actions.changeWhatIf(to),
    onOpen: (to) => void actions.openWhatIf(to),
    onChoose: (part) => void actions.chooseWhatIf(part),
    onCancel: (questions) => void actions.cancelAsked(questions),
    onAgain: (questions) => {
      for (const question of questions) void actions.ask(question);
    },
  };
}

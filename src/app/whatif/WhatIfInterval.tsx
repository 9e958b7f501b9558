/** The switch of the interval, connected with the store. It is asked for machines at rest, because it takes many runs. */
import type { Tried } from "../../model/whatif/whatIf";
import { IntervalPart } from "../../views/whatif/IntervalPart";
import { useActions, useApp } from "../context";
import { useUncertainty } from "../shared/useUncertainty";

export function WhatIfInterval({ whatIf }: { readonly whatIf: Tried }) {
  const { own, now, isChanged, nowRun, ownReport, view } = whatIf;
  const actions = useActions();
  const isMoving = useApp((state) => state.whatIf.moving !== undefined);
  const isOn = view.interval ?? false;
  // The run of a change goes first.
  const isAtRest =
    !isMoving && (isChanged ? nowRun?.status === "done" : ownReport);
  const isAsked = isOn && Boolean(isAtRest);
  const before = useUncertainty(isAsked ? own : undefined);
  const after = useUncertainty(isAsked && isChanged ? now : undefined);
  const shown = isChanged
    ? [
        { label: "before", ...before },
        { label: "after", ...after },
      ]
    : [{ label: "as configured", ...before }];
  return (
    <IntervalPart
      isOn={isOn}
      isModel={before.isModel || !isAsked}
      intervals={shown}
      onSwitch={(to) =>
        void actions.chooseWhatIf({ interval: to || undefined })
      }
      onCancel={() => shown.forEach((each) => each.onCancel())}
      onAgain={() => shown.forEach((each) => each.onAgain())}
    />
  );
}

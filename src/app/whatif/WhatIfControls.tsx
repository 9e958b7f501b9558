/** The controls and their effect, connected with the store. */
import { useDeferredValue } from "react";
import { triedCurveQuestion } from "../../model/whatif/asking";
import { effectRows, verdict } from "../../model/whatif/effect";
import { valueOf } from "../../model/whatif/questions";
import { changesText, countedPart } from "../../model/whatif/whatIf";
import type { Tried, WhatIf } from "../../model/whatif/whatIf";
import { Controls } from "../../views/whatif/Controls";
import { EffectPanel } from "../../views/whatif/EffectPanel";
import { useActions, useApp } from "../context";
import { useAnswer } from "./useAsked";
import { useTried } from "./useWhatIf";
import { WhatIfInterval } from "./WhatIfInterval";

export function WhatIfControls(props: { readonly whatIf: WhatIf }) {
  const whatIf = useTried(props.whatIf);
  const actions = useActions();
  const canUndo = useApp((state) => state.whatIf.past.length > 0);
  const { place } = whatIf;
  if (!place) return null;
  return (
    <Controls
      whatIf={whatIf}
      place={place}
      onChoose={(part) => void actions.chooseWhatIf(part)}
      onChange={(to, moving) => void actions.changeWhatIf(to, moving)}
      onRest={() => void actions.restWhatIf()}
    >
      <Effect whatIf={whatIf} canUndo={canUndo} />
    </Controls>
  );
}

function Effect({
  whatIf,
  canUndo,
}: {
  readonly whatIf: Tried;
  readonly canUndo: boolean;
}) {
  const { own, now, ownReport, nowReport, nowRun, isChanged } = whatIf;
  const actions = useActions();
  const curve = useAnswer(triedCurveQuestion(whatIf));
  // The previous numbers stay until the next ones are known.
  const last = useDeferredValue(nowReport);
  if (!ownReport) return <section className="wi-effect" aria-label="Effect" />;
  const after = isChanged ? nowReport : undefined;
  return (
    <EffectPanel
      rows={effectRows(ownReport, after)}
      counted={countedPart(own)}
      changes={isChanged ? `Effect of ${changesText(whatIf)}` : undefined}
      interval={<WhatIfInterval whatIf={whatIf} />}
      verdict={verdict({
        before: ownReport,
        after: isChanged ? (nowReport ?? last) : undefined,
        cold: own.window ? undefined : valueOf(curve)?.cold,
      })}
      isRunning={isChanged && nowRun?.status === "running"}
      problem={nowRun?.status === "failed" ? nowRun.why : undefined}
      canUndo={canUndo}
      onOpen={() => void actions.openWhatIf(now)}
      onUndo={() => void actions.undoWhatIf()}
      onReset={() => void actions.changeWhatIf(own)}
    />
  );
}

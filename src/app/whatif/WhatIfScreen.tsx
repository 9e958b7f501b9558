/** Other machines and other pages on the open trace. */
import { memo, useDeferredValue } from "react";
import type { TraceView } from "../../engine/generated/TraceView";
import { isGated } from "../../state/selectors";
import type { AppState } from "../../state/store";
import { curvesMissing } from "../../model/whatif/missing";
import { NoCurves } from "../../views/whatif/NoCurves";
import { useApp } from "../context";
import { useMedia } from "../shared/useMedia";
import type { WhatIf } from "../../model/whatif/whatIf";
import { useWhatIf } from "./useWhatIf";
import { WhatIfAdvice } from "./WhatIfAdvice";
import { WhatIfControls } from "./WhatIfControls";
import { Curves, SetsAndWays } from "./WhatIfCurves";
import { OverTime, Sensitivity } from "./WhatIfOverTime";
import { WhatIfPages } from "./WhatIfPages";
import { WhatIfSweep } from "./WhatIfSweep";
import type { Configuration } from "../../state/config/configurations";
import "../../views/whatif/whatif.css";

export function WhatIfScreen() {
  const trace = useApp((state) => state.trace);
  const configuration = useApp((state) => state.configuration);
  const gated = useApp(isGated);
  if (!trace || !configuration)
    return <div className="wi-empty" aria-busy="true" />;
  const missing = curvesMissing(trace, gated);
  if (missing) return <NoCurves trace={trace.name} why={missing} />;
  return <Screen trace={trace} configuration={configuration} />;
}

interface ScreenProps {
  readonly trace: TraceView;
  readonly configuration: Configuration;
}

function Screen(props: ScreenProps) {
  const stale = useApp((state: AppState) => state.stale);
  const whatIf = useWhatIf(props.trace, props.configuration);
  return (
    <div className="wi" data-testid="what-if" data-stale={stale || undefined}>
      <h2 className="sr-only">What-if</h2>
      <WhatIfControls whatIf={whatIf} />
      <Panels whatIf={useDeferredValue(whatIf)} />
    </div>
  );
}

/** Drawn after the sliders and their effect: it is larger and changes less. */
const Panels = memo(function Panels({ whatIf }: { readonly whatIf: WhatIf }) {
  // A link can name a sweep, and one may be running.
  const hasSweep = useApp(
    (state) =>
      !state.plain ||
      state.whatIf.view.sweep !== undefined ||
      state.sweep !== undefined,
  );
  const isWide = useMedia("(width >= 1300px)");
  return (
    <div className="wi-grid-panels">
      {isWide ? (
        <>
          <div className="wi-column">
            <Curves whatIf={whatIf} />
            <WhatIfPages whatIf={whatIf} />
            <OverTime whatIf={whatIf} />
          </div>
          <div className="wi-column">
            <SetsAndWays whatIf={whatIf} />
            <WhatIfAdvice whatIf={whatIf} />
            <Sensitivity whatIf={whatIf} />
          </div>
        </>
      ) : (
        <>
          <Curves whatIf={whatIf} />
          <SetsAndWays whatIf={whatIf} />
          <WhatIfPages whatIf={whatIf} />
          <WhatIfAdvice whatIf={whatIf} />
          <OverTime whatIf={whatIf} />
          <Sensitivity whatIf={whatIf} />
        </>
      )}
      {hasSweep ? <WhatIfSweep whatIf={whatIf} /> : null}
    </div>
  );
});

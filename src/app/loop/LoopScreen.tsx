/** A loop editor, and next to it the result of its run. */
import { useEffect, useState } from "react";
import { LOOP_EXAMPLES } from "../../model/loop/examples";
import { encodePermalink } from "../../model/permalink/permalink";
import { replayPage } from "../../state/selectors";
import { TraceBar } from "../../views/transport/TraceBar";
import { LoopPage } from "../../views/loop/LoopPage";
import { AttributionSection } from "../replay/AttributionSection";
import { useActions, useApp } from "../context";
import { TimelineSection } from "../replay/TimelineSection";
import { useIsPhone } from "../shared/useMedia";

export function LoopScreen() {
  const loop = useApp((state) => state.loop);
  const trace = useApp((state) => state.trace);
  const run = loop?.run;
  const replay = useApp((state) => encodePermalink(replayPage(state)));
  const { editLoop, runLoop, cancelLoop } = useActions();
  const [mac] = useState(() => navigator.userAgent.includes("Mac"));
  // A running loop ends with its screen.
  useEffect(() => cancelLoop, [cancelLoop]);
  if (!loop) return null;
  const isOpen =
    run?.status === "done" &&
    trace?.import.format === "loop" &&
    trace.n_accesses === run.result.accesses;
  return (
    <LoopPage
      loop={loop}
      examples={LOOP_EXAMPLES}
      replayAddress={`#${replay}`}
      isOpen={isOpen}
      runKey={mac ? "⌘" : "Ctrl"}
      onEdit={editLoop}
      onRun={() => void runLoop()}
      onCancel={cancelLoop}
    >
      <Totals />
      <TimelineSection />
      <div className="loop-breakdown">
        <AttributionSection />
      </div>
    </LoopPage>
  );
}

function Totals() {
  const trace = useApp((state) => state.trace);
  const machine = useApp((state) => state.machine);
  const report = useApp((state) => state.report);
  const stale = useApp((state) => state.stale);
  const compact = useIsPhone();
  if (!trace) return null;
  return (
    <TraceBar
      trace={trace}
      machine={machine}
      report={report ?? null}
      stale={stale}
      compact={compact}
    />
  );
}

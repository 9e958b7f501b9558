import { runToSave } from "../../state/compare/runToSave";
import { isGated } from "../../state/selectors";
import { TraceBar } from "../../views/transport/TraceBar";
import { useApp } from "../context";
import type { Dialog } from "../frame/useKeys";
import { useIsTight } from "../shared/useMedia";
import { TraceMenu } from "./TraceMenu";

/** The properties of the strip under the header, which keeps its place while there is no trace. */
export interface TraceStripProps {
  readonly showsTotals: boolean;
  readonly onTotals: () => void;
  readonly onDialog: (dialog: Dialog) => void;
}

export function TraceStrip(props: TraceStripProps) {
  const { showsTotals, onTotals, onDialog } = props;
  const trace = useApp((state) => state.trace);
  const timeline = useApp((state) => state.timeline?.view);
  const machine = useApp((state) => state.machine);
  const report = useApp((state) => (isGated(state) ? undefined : state.report));
  const window = useApp((state) => state.configuration?.setup.window);
  const stale = useApp((state) => state.stale);
  const task = useApp((state) => state.task);
  const canSave = useApp((state) => runToSave(state) !== undefined);
  const isExample = useApp((state) => state.builtIn !== undefined);
  const hasKeys = useApp(({ screen }) => screen === "replay");
  const compact = useIsTight();
  const failed = useApp(({ notices }) => notices.length > 0);
  if (!trace) {
    const menu = failed ? <TraceMenu onDialog={onDialog} /> : "";
    return <div className="trace-bar">{task ? `${task.label} …` : menu}</div>;
  }
  return (
    <TraceBar
      trace={trace}
      isExample={isExample}
      name={<TraceMenu onDialog={onDialog} />}
      timeline={timeline}
      report={report ?? null}
      machine={machine}
      window={window}
      stale={stale}
      compact={compact}
      showsAll={showsTotals}
      onAll={onTotals}
      hasKeys={hasKeys}
      canSave={canSave}
      onSave={() => onDialog("save")}
    />
  );
}

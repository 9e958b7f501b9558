/** Two machines on the open trace, all models on it, and saved runs. */
import { counted } from "../../model/shared/format";
import type { ComparePart } from "../../state/compare/state";
import { isGated } from "../../state/selectors";
import { Segmented } from "../../views/shared/Segmented";
import { TraceTag } from "../../views/shared/TraceTag";
import { CompareModels } from "./CompareModels";
import { ComparePair } from "./ComparePair";
import type { ComparePairProps } from "./ComparePair";
import { useActions, useApp } from "../context";
import { SamplesGate } from "../samples/SamplesGate";
import { SavedRuns } from "./SavedRuns";
import type { Dialog } from "../frame/useKeys";
import "../../views/compare/compare.css";

export interface CompareScreenProps extends ComparePairProps {
  readonly onDialog: (dialog: Dialog) => void;
}

const PARTS: readonly {
  readonly value: ComparePart;
  readonly label: string;
}[] = [
  { value: "pair", label: "Two machines" },
  { value: "models", label: "All models" },
  { value: "saved", label: "Saved runs" },
];

export function CompareScreen({ onEdit, onDialog }: CompareScreenProps) {
  const trace = useApp((state) => state.trace);
  const gated = useApp(isGated);
  const part = useApp((state) => state.compare.part);
  const { showComparePart } = useActions();
  if (!trace) return <div className="compare compare-empty" />;
  return (
    <div className="compare" data-testid="compare">
      <header className="compare-head">
        <h2>Compare</h2>
        {part === "saved" ? null : (
          <>
            <span className="t2 compare-trace">
              {trace.name}, {counted(trace.n_accesses, "access", "accesses")}
            </span>
            <TraceTag />
          </>
        )}
        <span className="spacer" />
        <Segmented
          label="What to compare"
          choices={PARTS}
          value={part}
          onChange={showComparePart}
        />
      </header>
      {part === "saved" ? (
        <SavedRuns onSave={() => onDialog("save")} />
      ) : trace.n_accesses === 0 ? (
        <p className="compare-note">
          This recording has no accesses to simulate, so there is nothing to
          compare.
        </p>
      ) : gated ? (
        <SamplesGate trace={trace} />
      ) : part === "models" ? (
        <CompareModels />
      ) : (
        <ComparePair onEdit={onEdit} onDialog={onDialog} />
      )}
    </div>
  );
}

/**
 * One reference explained: what it reads and why, its bits, the cache that served it; with buttons that step
 * through the walk.
 */
import type { MachineView } from "../../engine/generated/MachineView";
import type { NestedView } from "../../engine/generated/NestedView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { counted, cyclesShort } from "../../model/shared/format";
import { cellFields } from "../../model/walk/nested/entry";
import type { Grid, GridCell } from "../../model/walk/nested/grid";
import type { WalkStep } from "../../model/walk/nested/steps";
import { cellChangeText } from "../../model/walk/nested/changes";
import type { CellChanges } from "../../model/walk/nested/changes";
import { explainCell } from "../../model/walk/nested/text";
import { servedRank } from "../../model/walk/tables";
import { Icon } from "../shared/Icon";
import { Swatch } from "../shared/Legend";
import { skipHatch } from "../shared/Patterns";
import { FieldBits } from "./FieldBits";
import type { NestedChoice } from "./useNestedWalk";

export interface NestedReferenceProps {
  readonly machine: MachineView;
  readonly translation: TranslationView;
  readonly nested: NestedView;
  readonly grid: Grid;
  readonly steps: readonly WalkStep[];
  readonly choice: NestedChoice;
  readonly changes: CellChanges;
}

export function NestedReference(props: NestedReferenceProps) {
  const { machine, translation, nested, grid, choice, changes } = props;
  const { shown } = choice;
  if (!shown) return null;
  const change = cellChangeText(changes, shown);
  const lines = [
    ...explainCell(shown, grid, nested, translation),
    ...(change === ""
      ? []
      : [{ term: "changed", text: change, mono: true, strong: false }]),
  ];
  return (
    <section className="nested-reference" aria-label="Reference">
      <header className="nested-reference-head">
        <h2>Reference {shown.view.n}</h2>
        <ServedChip cell={shown} machine={machine} />
        <span className="nested-space" />
        <Stepper {...props} />
      </header>
      <dl className="nested-lines">
        {lines.map(({ term, text, mono, strong }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd
              className={[mono ? "mono" : "", strong ? "b" : ""]
                .filter(Boolean)
                .join(" ")}
            >
              {text}
            </dd>
          </div>
        ))}
      </dl>
      <FieldBits fields={cellFields(shown.view)} />
    </section>
  );
}

function ServedChip({
  cell,
  machine,
}: {
  readonly cell: GridCell;
  readonly machine: MachineView;
}) {
  const { view, skip } = cell;
  if (skip)
    return (
      <span className="nested-served skipped">
        <Swatch fill={skipHatch(skip.kind)} outlined /> skipped
      </span>
    );
  const served = view.served_by ?? "memory";
  const rank = servedRank(machine, served);
  return (
    <span className={`nested-served walk-ref${rank} nested-on${rank}`}>
      {served} · {cyclesShort(view.cycles ?? 0)}
    </span>
  );
}

function Stepper({ steps, choice }: NestedReferenceProps) {
  const { at, onBack, onForward, onWhole, onFirst } = choice;
  return (
    <span className="nested-stepper">
      {at === null ? null : (
        <button type="button" className="nested-whole" onClick={onWhole}>
          show all
        </button>
      )}
      <span className="nested-step-at" aria-live="off">
        {at === null
          ? counted(steps.length, "step")
          : `step ${at + 1} of ${steps.length}`}
      </span>
      <button
        type="button"
        className="btn icon"
        aria-label="First step of the walk"
        title="First step (Home, in the picture)"
        onClick={onFirst}
      >
        <Icon name="start" size={12} />
      </button>
      <button
        type="button"
        className="btn icon"
        aria-label="One step of the walk back"
        title="One step back (←, in the picture)"
        onClick={onBack}
      >
        <Icon name="back" size={12} />
      </button>
      <button
        type="button"
        className="btn icon"
        aria-label="One step of the walk forward"
        title="One step forward (→, in the picture)"
        onClick={onForward}
      >
        <Icon name="step" size={12} />
      </button>
    </span>
  );
}

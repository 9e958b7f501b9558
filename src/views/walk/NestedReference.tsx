/**
 * One reference explained: what it reads and why, its bits, the cache that served it; with buttons that step
 * through the walk.
 */
import type { MachineView } from "../../engine/generated/MachineView";
import type { NestedView } from "../../engine/generated/NestedView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { cyclesShort } from "../../model/shared/format";
import { entryChange, setByAccess } from "../../model/walk/entry";
import { cellFields } from "../../model/walk/nested/entry";
import type { Grid, GridCell } from "../../model/walk/nested/grid";
import type { WalkStep } from "../../model/walk/nested/steps";
import { cellChangeText } from "../../model/walk/nested/changes";
import type { CellChanges } from "../../model/walk/nested/changes";
import { explainCell } from "../../model/walk/nested/text";
import { servedRank } from "../../model/walk/tables";
import { Swatch } from "../shared/Legend";
import { skipHatch } from "../shared/Patterns";
import { FieldBits } from "./FieldBits";
import { Stepper } from "./Stepper";
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
  const { machine, translation, nested, grid, steps, choice, changes } = props;
  const { shown } = choice;
  if (!shown) return null;
  const changed = [setByAccess(shown.view), cellChangeText(changes, shown)];
  const text = changed.filter((each) => each !== "").join("; ");
  const lines = [
    ...explainCell(shown, grid, nested, translation),
    ...(text === ""
      ? []
      : [{ term: "changed", text, mono: false, strong: false }]),
  ];
  return (
    <section className="nested-reference" aria-label="Reference">
      <header className="nested-reference-head">
        <h2>Reference {shown.view.n}</h2>
        <ServedChip cell={shown} machine={machine} />
        <span className="nested-space" />
        <Stepper n={steps.length} {...choice} />
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
      <FieldBits
        fields={cellFields(shown.view)}
        change={entryChange(shown.view, changes.get(shown.view.n))}
      />
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

/** One side at the current access: its sentence, its trail and its walk. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import { cellChanges } from "../../model/walk/nested/changes";
import { gridSummary, nestedGrid } from "../../model/walk/nested/grid";
import { walkSteps } from "../../model/walk/nested/steps";
import { sentence } from "../../model/replay/sentence";
import { AccessBand } from "../../views/replay/AccessBand";
import { Stepper } from "../../views/walk/Stepper";
import { NestedGrid } from "../../views/walk/NestedGrid";
import { useNestedWalk } from "../../views/walk/useNestedWalk";
import { WalkPanel } from "../../views/walk/WalkPanel";
import "../../views/walk/walk.css";
import "../../views/walk/step.css";
import "../../views/walk/nested.css";

export interface CompareSideProps {
  readonly name: string;
  readonly machine: MachineView;
  /** `null` if the access is not simulated. */
  readonly step: StepView | null;
  readonly phone: boolean;
}

export function CompareSide({ name, machine, step, phone }: CompareSideProps) {
  if (!step)
    return (
      <section className="compare-side" aria-label={name}>
        <p className="compare-note">This access is not simulated here.</p>
      </section>
    );
  const nested = step.translations[0]?.nested ?? null;
  return (
    <section className="compare-side" aria-label={name}>
      <p className="compare-sentence">{sentence({ step }, machine)}</p>
      <AccessBand
        machine={machine}
        step={step}
        label={`Access on ${name}`}
        phone
      />
      {nested ? (
        <Nested machine={machine} step={step} />
      ) : (
        <WalkPanel machine={machine} step={step} phone={phone} low />
      )}
    </section>
  );
}

function Nested({
  machine,
  step,
}: {
  readonly machine: MachineView;
  readonly step: StepView;
}) {
  const [translation] = step.translations;
  const nested = translation?.nested;
  const grid =
    translation && nested && nestedGrid(nested, translation, machine);
  if (!grid) return null;
  return <Grid machine={machine} step={step} grid={grid} />;
}

function Grid({
  machine,
  step,
  grid,
}: {
  readonly machine: MachineView;
  readonly step: StepView;
  readonly grid: ReturnType<typeof nestedGrid>;
}) {
  const steps = walkSteps(grid);
  const choice = useNestedWalk(`${step.index}`, grid, steps);
  const [translation] = step.translations;
  if (!translation) return null;
  return (
    <div className="compare-grid">
      <header className="compare-grid-head">
        <h3>Nested walk</h3>
        <span className="t2 small">{gridSummary(grid)}</span>
        <Stepper n={steps.length} {...choice} />
      </header>
      <NestedGrid
        machine={machine}
        translation={translation}
        grid={grid}
        steps={steps}
        choice={choice}
        changes={cellChanges(step, grid)}
        initial={560}
        low
      />
    </div>
  );
}

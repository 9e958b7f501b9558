/** One step of a one-dimensional walk, written out; with buttons that step through the walk. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { LevelView } from "../../engine/generated/LevelView";
import { cyclesShort } from "../../model/shared/format";
import type { NativeStep } from "../../model/walk/steps";
import { servedRank } from "../../model/walk/tables";
import { Swatch } from "../shared/Legend";
import { skipHatch } from "../shared/Patterns";
import { Stepper } from "./Stepper";
import type { NativeChoice } from "./useNativeWalk";

export interface NativeStepBandProps {
  readonly steps: readonly NativeStep[];
  readonly choice: NativeChoice;
  readonly levels: readonly LevelView[];
  readonly machine: MachineView;
  /** Shows only the title, the value and the buttons until the user selects something. */
  readonly folded: boolean;
}

export function NativeStepBand(props: NativeStepBandProps) {
  const { steps, choice, levels, machine, folded } = props;
  const step = steps[choice.told];
  if (!step) return null;
  const level = step.kind === "read" ? levels[step.tables[0] ?? -1] : undefined;
  return (
    <section className="walk-step" aria-label="Step of the walk">
      <header className="walk-step-head">
        {level?.order == null ? null : (
          <span className="walk-step-order" aria-hidden="true">
            {level.order}
          </span>
        )}
        <h3>{step.title}</h3>
        {folded ? (
          <code>{step.lines.find(({ term }) => term === "value")?.text}</code>
        ) : null}
        <Chip step={step} level={level} machine={machine} />
        <Stepper n={steps.length} {...choice} />
      </header>
      {folded ? null : (
        <dl className="walk-step-lines">
          {step.lines.map(({ term, text, mono, isDrawn }) =>
            isDrawn ? null : (
              <div key={term}>
                <dt>{term}</dt>
                <dd className={mono ? "mono" : undefined}>{text}</dd>
              </div>
            ),
          )}
        </dl>
      )}
    </section>
  );
}

/** The cache that served the reference, or that there was none. */
function Chip({
  step,
  level,
  machine,
}: {
  readonly step: NativeStep;
  readonly level: LevelView | undefined;
  readonly machine: MachineView;
}) {
  if (step.kind === "skip" || step.kind === "tlb")
    return (
      <span className="walk-step-served skipped">
        <Swatch fill={skipHatch("combined")} outlined /> skipped
      </span>
    );
  if (level?.served_by == null) return null;
  const rank = servedRank(machine, level.served_by);
  return (
    <span className={`walk-step-served walk-ref${rank} walk-step-on${rank}`}>
      {level.served_by} · {cyclesShort(level.cycles ?? 0)}
    </span>
  );
}

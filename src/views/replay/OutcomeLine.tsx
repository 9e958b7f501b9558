/** The outcome and its cost on one line, for a narrow screen. */
import type { Kind } from "../../engine/generated/Kind";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { costOf, trail } from "../../model/replay/trail";
import { Cycles } from "./Cycles";
import { TrailChip } from "./TrailChip";

export interface OutcomeLineProps {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  /** The kind of the access. */
  readonly kind: Kind;
}

export function OutcomeLine({ translation, machine, kind }: OutcomeLineProps) {
  const last = trail(translation, machine).at(-1);
  // The references below already show the walk after a fault.
  const chip = last && { ...last, text: last.text.replace("then walk, ", "") };
  const cost = costOf(translation, machine, kind);
  return (
    <div className="access-outcome">
      {chip ? <TrailChip chip={chip} /> : null}
      <span className="access-cost">
        <Cycles cost={cost} /> {cost.numbers} {cost.without}
      </span>
    </div>
  );
}

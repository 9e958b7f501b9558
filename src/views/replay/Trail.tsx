/** The trail: one chip per lookup, the outcome last, and the cost below. */
import type { Kind } from "../../engine/generated/Kind";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { costOf, trail } from "../../model/replay/trail";
import { Cycles } from "./Cycles";
import { TrailChip } from "./TrailChip";

export interface TrailProps {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  /** The kind of the access. */
  readonly kind: Kind;
}

export function Trail({ translation, machine, kind }: TrailProps) {
  const cost = costOf(translation, machine, kind);
  return (
    <div className="access-trail">
      <ol className="access-chips">
        {trail(translation, machine).map((chip) => (
          <li key={chip.text}>
            <TrailChip chip={chip} />
          </li>
        ))}
      </ol>
      <p className="access-cost">
        <Cycles cost={cost} /> <span>{cost.parts}</span>
      </p>
    </div>
  );
}

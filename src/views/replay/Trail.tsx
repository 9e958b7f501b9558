/** The trail: one chip per lookup, the outcome last, and the cost below. */
import type { Kind } from "../../engine/generated/Kind";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { counted } from "../../model/shared/format";
import { costOf, filledPlaces, trail } from "../../model/replay/trail";
import { Cycles } from "./Cycles";
import { TrailChip } from "./TrailChip";

export interface TrailProps {
  readonly translation: TranslationView;
  readonly machine: MachineView;
  /** The kind of the access. */
  readonly kind: Kind;
  readonly onStructure?: (structure: number) => void;
}

export function Trail({ translation, machine, kind, onStructure }: TrailProps) {
  const cost = costOf(translation, machine, kind);
  const { tlb, walkCaches } = filledPlaces(translation, machine);
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
        {tlb.length > 0 ? (
          <span
            className="access-filled"
            title={
              walkCaches > 0
                ? `and ${counted(walkCaches, "walk-cache entry", "walk-cache entries")}`
                : undefined
            }
          >
            <span aria-hidden="true">· </span>filled{" "}
            {tlb.map(({ name, place, structure }, at) => (
              <span key={structure}>
                {at > 0 ? ", " : ""}
                {onStructure ? (
                  <button type="button" onClick={() => onStructure(structure)}>
                    {name} {place}
                  </button>
                ) : (
                  <b>
                    {name} {place}
                  </b>
                )}
              </span>
            ))}
          </span>
        ) : null}
      </p>
    </div>
  );
}

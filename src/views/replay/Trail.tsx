/** The trail: one chip per lookup, the outcome last, and the cost below. */
import { useRef } from "react";
import type { Kind } from "../../engine/generated/Kind";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { costOf, trail } from "../../model/replay/trail";
import { useFit } from "../shared/useFit";
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
  const chips = trail(translation, machine);
  const line = useRef<HTMLDivElement>(null);
  const gone = useFit(line, [
    { id: "words of the cost", rank: 2 },
    { id: "lookups", rank: 1 },
    // Another access needs another space.
    { id: `${chips.map(({ text }) => text).join()} ${cost.parts}` },
  ]);
  return (
    <div ref={line} className="access-trail">
      <ol className="access-chips">
        {(gone.has("lookups") ? chips.slice(-1) : chips).map((chip) => (
          <li key={chip.text}>
            <TrailChip chip={chip} />
          </li>
        ))}
      </ol>
      <p className="access-cost">
        <Cycles cost={cost} />{" "}
        <span>
          {gone.has("words of the cost") ? cost.numbers : cost.parts}
          {cost.without === "" ? null : (
            <span className="access-without">, {cost.without}</span>
          )}
        </span>
      </p>
    </div>
  );
}

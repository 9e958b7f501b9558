/** The cycles of a translation: a model, so its terms are a hover away. */
import type { Cost } from "../../model/replay/trail";
import { ModelNumber } from "../shared/Quantity";

export interface CyclesProps {
  readonly cost: Cost;
}

export function Cycles({ cost }: CyclesProps) {
  return (
    <b className="access-cycles">
      <ModelNumber
        formula={
          <>
            {cost.terms.map((term) => (
              <div key={term}>{term}</div>
            ))}
          </>
        }
        source="L2 hits × their latency + for each walk its start and the latency of each entry read"
      >
        {cost.total}
      </ModelNumber>
    </b>
  );
}

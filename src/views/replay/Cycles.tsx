/** The cycles of a translation. They come from a model, so a tip shows the terms. */
import type { Cost } from "../../model/replay/trail";
import { placesOf } from "../shared/terms/places";
import { ModelNumber } from "../shared/Quantity";

export interface CyclesProps {
  readonly cost: Cost;
}

export function Cycles({ cost }: CyclesProps) {
  return (
    <b className="access-cycles" {...placesOf("cycles")}>
      <ModelNumber
        formula={
          <>
            {cost.terms.map((term) => (
              <div key={term}>{term}</div>
            ))}
          </>
        }
        source="lookups of the second level × their latency, plus the start of each walk and the latency of each entry read"
      >
        {cost.total}
      </ModelNumber>
    </b>
  );
}

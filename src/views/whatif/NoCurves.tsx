import type { Missing } from "../../model/whatif/missing";
import "./whatif.css";

/** Says why there is nothing to ask about a trace, in place of the pictures. */
export function NoCurves({
  trace,
  why,
}: {
  readonly trace: string;
  readonly why: Missing;
}) {
  return (
    <div className="wi-empty" data-testid="what-if">
      <h2>{why.title}</h2>
      <p className="mono t2">{trace}</p>
      <p>{why.text}</p>
    </div>
  );
}

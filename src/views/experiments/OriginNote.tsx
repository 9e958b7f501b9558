/** Where the shown numbers come from: this version's files, or a run in this browser. */
import type { Origin } from "../../model/experiments/state";
import { VERSION } from "../../model/shared/version";

export function OriginNote({ origin }: { readonly origin: Origin }) {
  return (
    <p className="experiment-origin t2 small" data-testid="experiment-origin">
      {origin.kind === "here"
        ? `Run in this browser in ${origin.time}${origin.compared === undefined ? "." : `: ${origin.compared}.`}`
        : `Computed when version ${VERSION} was built. Its tests run the experiment again and compare every number.`}
    </p>
  );
}

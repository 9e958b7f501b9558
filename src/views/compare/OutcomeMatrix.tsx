/**
 * Accesses by their outcome on both sides. Equal outcomes are on the diagonal; above it the right side is
 * more expensive, below it cheaper.
 */
import type { LockstepView } from "../../engine/generated/LockstepView";
import {
  comparedOutcomes,
  outcomeCells,
  outcomesCsv,
} from "../../model/compare/differences";
import { count } from "../../model/shared/format";
import { Glyph } from "../shared/Glyph";
import { useOutcomeWord } from "../shared/outcomeWords";
import { SavePicture } from "../shared/picture/SavePicture";

export function OutcomeMatrix({ view }: { readonly view: LockstepView }) {
  const outcomeWord = useOutcomeWord();
  const shown = comparedOutcomes(view);
  return (
    <div data-picture="">
      <div className="compare-part-head">
        <span className="t2 small">
          Accesses: outcome on the left in rows, outcome on the right in columns
        </span>
        <span className="spacer" />
        <SavePicture
          what="Outcomes on both sides"
          tables={[{ csv: () => outcomesCsv(view) }]}
        />
      </div>
      <div
        className="edge-hint"
        role="group"
        aria-label="Outcomes on both sides"
        // The table scrolls in a narrow box.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table className="compare-matrix">
          <caption className="sr-only">
            Accesses: outcome on the left in rows, outcome on the right in
            columns
          </caption>
          <thead>
            <tr>
              <td />
              {shown.map((outcome) => (
                <th key={outcome} scope="col">
                  <Glyph outcome={outcome} /> {outcomeWord(outcome)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {outcomeCells(view).map((cells, row) => {
              const outcome = shown[row] ?? "l1-hit";
              return (
                <tr key={outcome}>
                  <th scope="row">
                    <Glyph outcome={outcome} /> {outcomeWord(outcome)}
                  </th>
                  {cells.map(({ left, right, n }) => (
                    <td
                      key={right}
                      className={
                        n > 0 && left !== right
                          ? "differs"
                          : n === 0
                            ? "t3"
                            : ""
                      }
                    >
                      {count(n)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Sets × ways as a heat map of misses: a grid of buttons, so that each cell can be taken as the machine. */
import { count } from "../../model/format";
import { cellSentence } from "../../model/whatIfSurface";
import type { SurfaceCell, SurfaceGrid } from "../../model/whatIfSurface";
import type { ArrayShape } from "../../model/whatIfMachine";
import { useTip } from "../shared/useTip";
import "./map.css";

export interface SurfaceMapProps {
  readonly grid: SurfaceGrid;
  /** Of the machine. */
  readonly own: ArrayShape;
  /** Of what it is changed to, if it is. */
  readonly other: ArrayShape | undefined;
  readonly onPick: (sets: number, ways: number) => void;
}

export function SurfaceMap({ grid, own, other, onPick }: SurfaceMapProps) {
  const { show, hide, dismiss, tip } = useTip();
  const is = (cell: SurfaceCell, shape: ArrayShape | undefined) =>
    shape !== undefined && shape.sets === cell.sets && shape.ways === cell.ways;
  return (
    <div className="wi-map-scroll">
      <table className="wi-map">
        <caption className="sr-only">
          Misses by sets and ways, under LRU. A cell is taken as the array’s
          shape.
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="wi-map-corner">sets</span>
            </th>
            {grid.ways.map((ways) => (
              <th
                key={ways}
                scope="col"
                data-own={ways === own.ways || undefined}
              >
                <span className="sr-only">ways </span>
                {ways}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.rows.map((row, at) => (
            <tr key={grid.sets[at]}>
              <th
                scope="row"
                data-own={grid.sets[at] === own.sets || undefined}
              >
                {count(grid.sets[at] ?? 0)}
              </th>
              {row.map((cell) => (
                <td key={cell.ways}>
                  <button
                    type="button"
                    className="wi-cell"
                    data-heat={cell.heat}
                    data-own={is(cell, own) || undefined}
                    data-other={is(cell, other) || undefined}
                    aria-label={`${cellSentence(cell)}${is(cell, own) ? "; the machine" : ""}${is(cell, other) ? "; what if" : ""}`}
                    onPointerEnter={(event) =>
                      show(event.currentTarget, <CellTip cell={cell} />)
                    }
                    onPointerLeave={hide}
                    onFocus={(event) => {
                      if (event.target.matches(":focus-visible"))
                        show(event.currentTarget, <CellTip cell={cell} />);
                    }}
                    onBlur={hide}
                    onClick={() => {
                      dismiss();
                      onPick(cell.sets, cell.ways);
                    }}
                  >
                    {short(cell.misses)}
                    {cell.isCold ? <i className="wi-cold" /> : null}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {tip}
    </div>
  );
}

function CellTip({ cell }: { readonly cell: SurfaceCell }) {
  return (
    <>
      <p className="tip-title">
        {count(cell.sets)} sets × {cell.ways} ways
      </p>
      <p>
        {count(cell.misses)} misses{cell.isCold ? ", all compulsory" : ""}
      </p>
      <p className="tip-note">
        {count(cell.sets * cell.ways)} entries, LRU, set = page number mod sets.
        Click to try it.
      </p>
    </>
  );
}

/** In full up to six digits; then in thousands, as cells are narrow. */
function short(n: number): string {
  return n < 1e6 ? count(n) : `${count(n / 1000)}k`;
}

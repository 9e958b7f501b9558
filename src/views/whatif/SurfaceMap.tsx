/**
 * Misses by sets and ways, as a heat map: a grid of buttons, so that each cell can be tried as the array's
 * shape.
 */
import { useCallback, useRef, useState } from "react";
import type { SyntheticEvent } from "react";
import { count } from "../../model/shared/format";
import { cellSentence, cellTexts, MAP_RULES } from "../../model/whatif/surface";
import type { SurfaceCell, SurfaceGrid } from "../../model/whatif/surface";
import type { ArrayShape } from "../../model/whatif/machine";
import type { CssPixels } from "../../model/shared/units";
import { useTip } from "../shared/useTip";
import "./map.css";

export interface SurfaceMapProps {
  readonly grid: SurfaceGrid;
  /** The array's shape in the machine. */
  readonly own: ArrayShape;
  /** The changed shape; `undefined` if it is not changed. */
  readonly other: ArrayShape | undefined;
  /** Whether the changed array has other rules than the map, so that its cell is not its count. */
  readonly isRough: boolean;
  /** What a cell counts, and what else differs from the machine. */
  readonly note: string;
  readonly onPick: (sets: number, ways: number) => void;
  /** Opens a machine with that array as a replay. */
  readonly onOpen: (sets: number, ways: number) => void;
}

export function SurfaceMap(props: SurfaceMapProps) {
  const { grid, own, other, isRough, note, onPick, onOpen } = props;
  const { show, hide, dismiss, tip } = useTip();
  const { attach, onScroll, hasMore } = useOwnInView();
  const is = (cell: SurfaceCell, shape: ArrayShape | undefined) =>
    shape !== undefined && shape.sets === cell.sets && shape.ways === cell.ways;
  const explain = (event: SyntheticEvent, cell: SurfaceCell) =>
    show(event.currentTarget, <CellTip cell={cell} note={note} />, "corner");
  return (
    <div className="wi-map-frame" data-more={hasMore || undefined}>
      <div className="wi-map-scroll" ref={attach} onScroll={onScroll}>
        <table className="wi-map">
          <caption className="sr-only">
            Misses by sets and ways, with {MAP_RULES}. Click a cell to try the
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
                      data-rough={isRough || undefined}
                      aria-label={`${cellSentence(cell)}${is(cell, own) ? "; the machine’s shape" : ""}${is(cell, other) ? "; the tried shape" : ""}`}
                      onPointerEnter={(event) => explain(event, cell)}
                      onPointerLeave={hide}
                      onFocus={(event) => {
                        if (event.target.matches(":focus-visible"))
                          explain(event, cell);
                      }}
                      onBlur={hide}
                      onClick={() => {
                        dismiss();
                        onPick(cell.sets, cell.ways);
                      }}
                      onDoubleClick={() => onOpen(cell.sets, cell.ways)}
                      onKeyDown={(event) => {
                        if (event.key !== "Enter" || !event.shiftKey) return;
                        event.preventDefault();
                        dismiss();
                        onOpen(cell.sets, cell.ways);
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
    </div>
  );
}

/** The width of the shade over more cells. */
const EDGE: CssPixels = 28;

/** If the machine's own cell is beyond the edge, the map scrolls to it. Reports whether more is on the right. */
function useOwnInView() {
  const [hasMore, setMore] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const onScroll = useCallback(() => {
    const now = box.current;
    if (now) setMore(now.scrollLeft + now.clientWidth < now.scrollWidth - 2);
  }, []);
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      box.current = element;
      const cell = element?.querySelector<HTMLElement>("[data-own].wi-cell");
      if (!element || !cell) return;
      const { right } = cell.getBoundingClientRect();
      const hidden = right - element.getBoundingClientRect().right;
      if (hidden > 0) element.scrollLeft = hidden + EDGE;
      onScroll();
    },
    [onScroll],
  );
  return { attach, onScroll, hasMore };
}

interface CellTipProps {
  readonly cell: SurfaceCell;
  readonly note: string;
}

function CellTip({ cell, note }: CellTipProps) {
  const { shape, entries, misses } = cellTexts(cell);
  return (
    <>
      <p className="tip-title">{shape}</p>
      <p>
        {misses}
        {cell.isCold ? ", all compulsory" : ""}
      </p>
      <p className="tip-note">
        {entries}. {note} Double-click to open it as a replay.
      </p>
    </>
  );
}

/** Writes up to five digits in full, then thousands or millions, since cells are narrow. */
function short(n: number): string {
  if (n < 1e5) return count(n);
  if (n < 1e6) return `${count(n / 1000)}k`;
  return `${n < 1e9 ? (n / 1e6).toPrecision(3) : count(n / 1e6)}M`;
}

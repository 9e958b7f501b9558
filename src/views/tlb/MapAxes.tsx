/** Grid lines and set numbers over the map, and the frame around the current set. */
import type { StructureView } from "../../engine/generated/StructureView";
import type { ArrayLayout } from "../../model/tlb/array";
import { arrayPlaces } from "./objects";

/** Rows with a grid line, to help count ways. */
function groupLines(rows: number): number[] {
  const step = rows <= 16 ? 4 : Math.ceil(rows / 4);
  return Array.from(
    { length: Math.ceil(rows / step) - 1 },
    (_, at) => (at + 1) * step,
  );
}

/** A long number omits the word "way", which the row above has. */
function rowName(way: number): string {
  return way > 999 ? String(way) : `way ${way}`;
}

export interface MapAxesProps {
  readonly view: StructureView;
  readonly layout: ArrayLayout;
  readonly width: number;
  readonly gutter: number;
  readonly height: number;
  /** The column of the opened set. */
  readonly framed: number | null;
}

export function MapAxes({
  view,
  layout,
  width,
  gutter,
  height,
  framed,
}: MapAxesProps) {
  const { columns, rows, fold } = layout;
  const room = width - gutter;
  const x = (at: number) => gutter + (at / columns) * room;
  const parts = Math.min(8, columns);
  const ticks = Array.from(
    { length: parts },
    (_, at) => (at * columns) / parts,
  );
  return (
    <svg
      className="tlb-axes"
      width={width}
      height={height + 18}
      aria-hidden="true"
    >
      {[...ticks, columns].map((tick) => (
        <line
          key={tick}
          className="tlb-grid"
          x1={x(tick)}
          x2={x(tick)}
          y1={0}
          y2={height + 3}
        />
      ))}
      {groupLines(rows).map((row) => (
        <line
          key={row}
          className="tlb-grid"
          x1={gutter}
          x2={width}
          y1={(height * row) / rows}
          y2={(height * row) / rows}
        />
      ))}
      {ticks.map((tick) => (
        <text
          key={tick}
          x={x(tick)}
          y={height + 15}
          className="xs faint"
          textAnchor={tick === 0 ? "start" : "middle"}
        >
          {view.sets === 1 ? `+${tick}` : Math.round(tick / fold)}
        </text>
      ))}
      <text x={width} y={height + 15} className="xs faint" textAnchor="end">
        {view.sets === 1 ? "" : view.sets - 1}
      </text>
      {gutter > 0 ? (
        <>
          <text x={0} y={10} className="xs faint">
            {rowName(0)}
          </text>
          <text x={0} y={height} className="xs faint">
            {rowName((rows - 1) * fold)}
          </text>
        </>
      ) : null}
      {framed === null ? null : (
        <>
          <rect
            className="tlb-set"
            x={x(framed) - 2}
            y={-2}
            width={Math.max(room / columns, 2) + 4}
            height={height + 4}
            rx={2}
          />
          <rect
            className="lit-frame"
            {...arrayPlaces(view.role, "set", "entry")}
            x={x(framed) - 5}
            y={-4}
            width={Math.max(room / columns, 2) + 10}
            height={height + 10}
            rx={4}
          />
        </>
      )}
    </svg>
  );
}

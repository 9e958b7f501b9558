/** The meaning of shades and corners of cells; a "?" if space is short. */
import { AGE } from "../../model/shared/theme";
import { LegendItem, Ramp } from "../shared/Legend";
import { Tooltip } from "../shared/Tooltip";
import "../shared/legend.css";

export interface TlbLegendProps {
  readonly folded: boolean;
}

export function TlbLegend({ folded }: TlbLegendProps) {
  const items = (
    <>
      <LegendItem>
        <Ramp tokens={AGE} />
        age
      </LegendItem>
      <LegendItem>
        <svg width="9" height="9" aria-hidden="true">
          <path d="M9 1v8H1z" fill="var(--text-2)" />
        </svg>
        next victim
      </LegendItem>
    </>
  );
  return (
    <>
      {folded ? null : (
        <span
          className="tlb-legend"
          title="Age: quarters of the array’s entries, by their last use"
        >
          {items}
        </span>
      )}
      <span
        className={folded ? "tlb-legend-folded always" : "tlb-legend-folded"}
      >
        <Tooltip
          tap
          content={
            <div className="legend-tip">
              {items}
              <span>
                Age splits the array&apos;s entries into quarters by their last
                use: dark cells are recent, pale ones old. The corner marks the
                way that the next fill of its set takes. Cells show the last hex
                digits of page numbers.
              </span>
            </div>
          }
        >
          <button
            type="button"
            className="legend-help"
            data-no-picture=""
            aria-label="Legend of the arrays"
          >
            ?
          </button>
        </Tooltip>
      </span>
    </>
  );
}

import { count } from "../../model/format";
import type { Band } from "../../model/timelineBands";
import type { TimelineLayout } from "../../model/timelineLayout";

export interface RegionLabelsProps {
  readonly rows: readonly Band[];
  readonly layout: TimelineLayout;
}

/** Name and page count of each band, at its left. Long names end in "…": all of it is in the tooltip. */
export function RegionLabels({ rows, layout }: RegionLabelsProps) {
  return (
    <div
      className="timeline-regions"
      style={{ top: layout.heatTop, width: layout.left - 8 }}
      aria-hidden="true"
    >
      {rows
        .filter((band) => band.labelled)
        .map(({ region, top, height }) => (
          <div
            key={`${region.first_row} ${region.start}`}
            className="timeline-region"
            style={{ top: top + height / 2 }}
            title={region.name}
          >
            <span className="timeline-region-name">{region.name}</span>
            <span className="timeline-region-pages">
              {count(region.pages)} p
            </span>
          </div>
        ))}
    </div>
  );
}

import { counted, memorySize } from "../../model/shared/format";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RegionView } from "../../engine/generated/RegionView";
import { bytesOf, sizeWords } from "../../model/shared/pageSizes";
import type { Band } from "../../model/timeline/bands";
import type { TimelineLayout } from "../../model/timeline/layout";
import {
  regionKnown,
  regionKnownSentence,
  shortStart,
} from "../../model/timeline/regions";
import { useTip } from "../shared/useTip";

export interface RegionLabelsProps {
  readonly rows: readonly Band[];
  readonly layout: TimelineLayout;
  readonly pageSize: PageSize;
}

/**
 * The name of each region and the size of its touched pages, on the left. Hidden from screen readers, since the surface reads
 * them with each cell.
 */
export function RegionLabels({ rows, layout, pageSize }: RegionLabelsProps) {
  const { show, hide, tip } = useTip();
  const regions = rows.map(({ region }) => region);
  if (layout.heatTop === layout.heatBottom) return null;
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
            onPointerEnter={(event) =>
              show(
                event.currentTarget,
                <RegionTip region={region} pageSize={pageSize} />,
              )
            }
            onPointerLeave={hide}
          >
            <span
              className="timeline-region-name"
              data-known={regionKnown(region)}
            >
              {region.name}
            </span>
            <span className="timeline-region-pages">
              {/* Name and size do not both fit. The tip has both. */}
              {shortStart(region, regions) ??
                memorySize(region.pages * bytesOf(pageSize))}
            </span>
          </div>
        ))}
      {tip}
    </div>
  );
}

/** On a phone the names stand on the picture, where the gutter has no space. A tap on a cell has its region's tip. */
export function RegionNames({
  rows,
  layout,
}: Pick<RegionLabelsProps, "rows" | "layout">) {
  return (
    <div
      className="timeline-region-names"
      style={{ top: layout.heatTop, left: layout.left }}
      aria-hidden="true"
    >
      {rows
        .filter((band) => band.labelled)
        .map(({ region, top, height }) => (
          <span
            key={`${region.first_row} ${region.start}`}
            className="timeline-region-name"
            data-known={regionKnown(region)}
            style={{ top: top + height / 2 }}
          >
            {region.name}
          </span>
        ))}
    </div>
  );
}

function RegionTip({
  region,
  pageSize,
}: {
  readonly region: RegionView;
  readonly pageSize: PageSize;
}) {
  return (
    <>
      <p className="tip-title">{region.name}</p>
      <p className="tip-address">
        {region.start} – {region.end}
      </p>
      <p className="tip-note">
        {counted(region.pages, "page")} of {sizeWords(pageSize)} touched,{" "}
        {counted(region.accesses, "access", "accesses")}
      </p>
      <p className="tip-note">{regionKnownSentence(region)}</p>
    </>
  );
}

import type { LineStyle } from "../../../model/shared/chart/style";
import { PointMark } from "./PointMark";

/** A short sample of a line, for legends and tooltips. */
export function LineSample({ style }: { readonly style: LineStyle }) {
  return (
    <svg className="line-sample" width="28" height="14" aria-hidden="true">
      {style.width > 0 ? (
        <line
          x1="0"
          x2="28"
          y1="7"
          y2="7"
          stroke={style.colour}
          strokeWidth={style.width}
          strokeDasharray={style.dash}
        />
      ) : null}
      <PointMark x={14} y={7} style={style} />
    </svg>
  );
}

/** The causes of misses as one bar, drawn as SVG so that a saved picture has the hatch. */
import { useId } from "react";
import type { SplitPart } from "../../model/whatif/split";
import { savedWidth, splitWidths } from "../../model/whatif/split";

const HEIGHT = 22;
/** The gap between two parts. */
const GAP = 2;

export function CauseBar({ parts }: { readonly parts: readonly SplitPart[] }) {
  const hatch = useId();
  const widths = splitWidths(parts);
  const saved = savedWidth(parts);
  return (
    <svg className="wi-split" width="100%" height={HEIGHT} aria-hidden="true">
      <Hatch id={hatch} />
      {parts.map(({ id }, at) => {
        const width = widths[at] ?? 0;
        const x = widths.slice(0, at).reduce((sum, each) => sum + each, 0);
        return width > 0 ? (
          <g key={id}>
            <Filled id={id} hatch={hatch} x={`${x}%`} width={`${width}%`} />
            {x > 0 ? (
              <rect
                className="wi-fill-gap"
                x={`${x}%`}
                width={GAP}
                height={HEIGHT}
              />
            ) : null}
          </g>
        ) : null;
      })}
      {/* Misses that sets, policy or index save: the end of the bar, crossed out. */}
      {saved > 0 ? (
        <svg x={`${100 - saved}%`} width={`${saved}%`} height={HEIGHT}>
          <rect className="wi-fill-saved" width="100%" height="100%" />
          <line className="wi-line-saved" x2="100%" y1={HEIGHT} />
        </svg>
      ) : null}
    </svg>
  );
}

/** The fill of a part of the bar, for the legend. */
export function CauseKey({ id }: Pick<SplitPart, "id">) {
  const hatch = useId();
  return (
    <svg className="wi-key" width="14" height="11" aria-hidden="true">
      <Hatch id={hatch} />
      <Filled id={id} hatch={hatch} x="0" width="100%" />
    </svg>
  );
}

interface FilledProps extends Pick<SplitPart, "id"> {
  readonly hatch: string;
  readonly x: string;
  readonly width: string;
}

function Filled({ id, hatch, x, width }: FilledProps) {
  const box = { x, width, height: "100%" };
  return (
    <>
      <rect className={`wi-fill-${id}`} {...box} />
      {id === "compulsory" ? <rect fill={`url(#${hatch})`} {...box} /> : null}
    </>
  );
}

function Hatch({ id }: { readonly id: string }) {
  return (
    <pattern
      id={id}
      width="5"
      height="5"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <path className="wi-hatch" d="M0.75 0V5" />
    </pattern>
  );
}

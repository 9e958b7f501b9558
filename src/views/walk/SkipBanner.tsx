/** The structure that hit, drawn over the tables that the walk skipped. */
import type { TranslationView } from "../../engine/generated/TranslationView";
import { outcomeColour } from "../../model/shared/outcome";
import type { Skip } from "../../model/walk/tables";
import type { WalkLayout } from "../../model/walk/layout";
import { GlyphMark } from "../shared/Glyph";
import { skipHatch } from "../shared/Patterns";
import { placesOf } from "../shared/terms/places";

export interface SkipBannerProps {
  readonly translation: TranslationView;
  readonly layout: WalkLayout;
  readonly skip: Skip | null;
  /** The TLB array that hit. */
  readonly hit: string | null;
}

export function SkipBanner({
  translation,
  layout,
  skip,
  hit,
}: SkipBannerProps) {
  const { columns, columnWidth } = layout;
  // Over a single compact column, the box extends to the edge of the picture.
  const left = layout.compact && skip?.count === 1 ? 0 : (columns[0] ?? 0);
  if (hit !== null) {
    const right = (columns.at(-1) ?? 0) + columnWidth;
    const long = `${hit} hit: page ${translation.page_number} → frame ${translation.frame}`;
    const short = `${hit} hit → frame ${translation.frame}`;
    const text =
      [long, short].find((each) => each.length * 6.6 + 60 <= right - left) ??
      `${hit} hit`;
    const { outcome } = translation;
    return (
      <>
        <Box
          x={left}
          width={right - left}
          height={30}
          stroke={outcomeColour(outcome)}
        />
        <GlyphMark
          outcome={outcome}
          x={(left + right) / 2 - text.length * 3.3 - 4}
          y={23}
          size={12}
        />
        <text
          x={(left + right) / 2 + 8}
          y={27.5}
          className="m"
          textAnchor="middle"
        >
          {text}
        </text>
      </>
    );
  }
  if (!skip) return null;
  const right = (columns[skip.count - 1] ?? 0) + columnWidth;
  const middle = (left + right) / 2;
  // One line needs about three columns; fewer columns take two lines.
  const pair = `${skip.path} → ${skip.address}`;
  const line = `${skip.who}: ${skip.path} → ${skip.target}`;
  if (line.length * 6.6 + 40 <= right - left)
    return (
      <>
        <Box x={left} width={right - left} height={30} />
        <text x={middle} y={27.5} className="m" textAnchor="middle">
          {line}
        </text>
      </>
    );
  return (
    <>
      <Box x={left} width={right - left} height={36} />
      <text x={middle} y={19} className="m" textAnchor="middle">
        {skip.who}
      </text>
      <text x={middle} y={33} className="mono xs" textAnchor="middle">
        {pair.length * 6.6 + 12 <= right - left ? pair : `→ ${skip.address}`}
      </text>
    </>
  );
}

interface BoxProps {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly stroke?: string;
}

/** The hatch of the skipped tables, with a plain plate for the text. */
function Box({ x, width, height, stroke = "var(--line-strong)" }: BoxProps) {
  const inset = width > 200 ? 18 : 4;
  const y = height > 30 ? 4 : 8;
  return (
    <g {...placesOf("cache")}>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={4}
        fill={skipHatch("combined")}
        stroke={stroke}
      />
      <rect
        className="walk-plate"
        x={x + inset}
        y={y + 4}
        width={width - 2 * inset}
        height={height - 8}
        rx={2}
      />
      <rect
        className="lit-frame"
        x={x - 3}
        y={y - 3}
        width={width + 6}
        height={height + 6}
        rx={6}
      />
    </g>
  );
}

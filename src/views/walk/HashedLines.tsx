/** The lines that a walk of hashed page tables reads at the same time: one row per table, one column per way. */
import type { HashedLineView } from "../../engine/generated/HashedLineView";
import type { HashedView } from "../../engine/generated/HashedView";
import type { LevelView } from "../../engine/generated/LevelView";
import type { LineReadView } from "../../engine/generated/LineReadView";
import type { MachineView } from "../../engine/generated/MachineView";
import { cyclesShort } from "../../model/shared/format";
import type { CssPixels } from "../../model/shared/units";
import { isOfEntry, linesPicture } from "../../model/walk/hashedLines";
import { LINE_NAMES } from "../../model/walk/layout";
import { servedRank } from "../../model/walk/tables";
import { skipHatch } from "../shared/Patterns";
import { Arrow } from "./WalkArrows";

const ROW = { height: 44, pitch: 50 } as const;
const GAP = 6;
const CAPTION = 15;

export interface HashedLinesProps {
  readonly hashed: HashedView;
  /** The entry that maps the page, or that refused the access. */
  readonly level: LevelView | undefined;
  readonly machine: MachineView;
  readonly width: CssPixels;
}

interface Placed extends HashedLinesProps {
  readonly x: CssPixels;
  /** The line of the names of the ways, and the top of the first row. */
  readonly head: CssPixels;
  readonly top: CssPixels;
  /** The point to which the line with the page leads; missing = no arrow. */
  readonly to?: { readonly x: CssPixels; readonly y: CssPixels };
}

/** A part of a picture, or a picture of its own for a narrow screen. */
export function HashedLines(
  props: Placed | (HashedLinesProps & { readonly alone: true }),
) {
  if (!("alone" in props)) return <Lines {...props} />;
  const { hashed, level, width } = props;
  const { tables, caption } = linesPicture(hashed, level);
  const height = 18 + tables.length * ROW.pitch + caption.length * CAPTION + 12;
  return (
    <svg
      className="walk-svg"
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <Lines {...props} x={0} head={12} top={18} />
    </svg>
  );
}

function Lines(props: Placed) {
  const { hashed, level, machine, x, width, head, top, to } = props;
  const { ways, tables, caption } = linesPicture(hashed, level);
  const pitch = (width - LINE_NAMES + GAP) / Math.max(1, ways.length);
  const left = (at: number) => x + LINE_NAMES + at * pitch;
  const cell = pitch - GAP;
  const y = (row: number) => top + row * ROW.pitch;
  const isLit = (line: HashedLineView | undefined) => isOfEntry(line, level);
  const hitRow = tables.findIndex(({ lines }) => lines.some(isLit));
  const hitAt = tables[hitRow]?.lines.findIndex(isLit) ?? -1;
  const below = y(hitRow) + ROW.height;
  return (
    <g>
      {ways.map((way, at) => (
        <text
          key={way}
          x={left(at) + cell / 2}
          y={head}
          className="xs quiet"
          textAnchor="middle"
        >
          way {way}
        </text>
      ))}
      {tables.map(({ name, lines }, row) => (
        <g key={name}>
          <text x={x} y={y(row) + 26} className="xs b">
            {name}
          </text>
          {lines.map((line, at) => (
            <Line
              key={ways[at]}
              line={line}
              isLit={isLit(line)}
              x={left(at)}
              y={y(row)}
              width={cell}
              machine={machine}
            />
          ))}
        </g>
      ))}
      {to && hitAt >= 0 ? (
        <Arrow
          ink="var(--walk)"
          d={`M${left(hitAt) + cell / 2} ${below}V${below + 3}H${x + width}C${x + width + 16} ${below + 3} ${to.x - 14} ${to.y} ${to.x} ${to.y}`}
        />
      ) : null}
      {caption.map((text, at) => (
        <text
          key={text}
          x={x}
          y={y(tables.length) + 12 + at * CAPTION}
          className="xs quiet"
        >
          {text}
        </text>
      ))}
    </g>
  );
}

interface LineProps {
  /** `undefined` if the walk caches rule it out. */
  readonly line: HashedLineView | undefined;
  readonly isLit: boolean;
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly width: CssPixels;
  readonly machine: MachineView;
}

function Line({ line, isLit, x, y, width, machine }: LineProps) {
  const box = { x, y, width, height: ROW.height, rx: 2 };
  if (!line)
    return (
      <>
        <rect
          {...box}
          fill={skipHatch("combined")}
          stroke="var(--line-strong)"
          strokeDasharray="3 3"
        />
        <title>Not read: walk caches rule it out.</title>
      </>
    );
  return (
    <g>
      <title>{line.said}</title>
      <rect className={isLit ? "walk-lit" : "walk-row"} {...box} />
      <text x={x + 6} y={y + 15} className={isLit ? "xs b" : "xs quiet"}>
        line {line.line}
      </text>
      {line.read === null ? null : (
        <Served read={line.read} x={x} y={y} width={width} machine={machine} />
      )}
    </g>
  );
}

/** What served the read of a line, and its cycles. */
function Served({
  read: { served_by: by, cycles },
  x,
  y,
  width,
  machine,
}: Omit<LineProps, "line" | "isLit"> & { readonly read: LineReadView }) {
  const rank = servedRank(machine, by);
  const full = `${by} · ${cyclesShort(cycles)}`;
  // 6.9 pixels hold a character of the label font, even in a wide font.
  const chip = full.length * 6.9 <= width - 8 ? full : `${by} ${cycles}`;
  return (
    <>
      <rect
        className={`walk-served walk-ref${rank}`}
        x={x + 4}
        y={y + 21}
        width={width - 8}
        height={19}
        rx={3}
      />
      <text
        x={x + width / 2}
        y={y + 34.5}
        className={`m xs walk-on${rank}`}
        textAnchor="middle"
      >
        {chip}
      </text>
    </>
  );
}

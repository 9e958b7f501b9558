/**
 * Misses over the size of an array. The chart is one tab stop; arrow keys move between the sizes. A tooltip
 * shows the counts, and Enter or a click tries the size.
 */
import { useId, useRef } from "react";
import type { MouseEvent, PointerEvent } from "react";
import { count, memorySize, tickCount } from "../../model/shared/format";
import { bytesOf } from "../../model/shared/pageSizes";
import {
  curvePath,
  curveScales,
  curveSentence,
  MARGIN,
  missTicks,
  nearestSize,
  readableSizes,
  readAt,
  sizeTicks,
} from "../../model/whatif/curves";
import { chartLabels } from "../../model/whatif/chartLabels";
import type { CurveLine, OwnPoint } from "../../model/whatif/curves";
import { useSize } from "../shared/useSize";
import { useStops } from "../shared/useStops";

export interface CurveChartProps {
  readonly lines: readonly CurveLine[];
  readonly points: readonly OwnPoint[];
  /** The page size of the reach axis. */
  readonly size: string;
  /** Entries of the changed array; `undefined` if it is not changed. */
  readonly other: number | undefined;
  readonly height?: number;
  /** Whether the counts cover the whole trace: cold misses are then its pages. */
  readonly isOfWhole: boolean;
  /** The array tried for a size: `STLB as 128 × 12-way`; `undefined` if no machine may have it. */
  readonly arrayOf: (entries: number) => string | undefined;
  readonly onPick: (entries: number) => void;
  /** Opens a machine with that array as a replay. */
  readonly onOpen: (entries: number) => void;
}

const COLOURS = ["var(--chart-4k)", "var(--chart-2m)", "var(--chart-1g)"];
const DASHES = [undefined, "7 4", "2 3"];

export function lineColour({ rank }: Pick<CurveLine, "rank">): string {
  return rank === undefined
    ? "var(--text-3)"
    : (COLOURS[rank] ?? "var(--text)");
}

function dash({ rank }: CurveLine): string | undefined {
  return rank === undefined ? "1 3" : DASHES[rank];
}

export function CurveChart(props: CurveChartProps) {
  const { lines, points, size, other, height = 372, isOfWhole } = props;
  const { arrayOf, onPick, onOpen } = props;
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box, { width: 560, height });
  const clip = useId();
  // The first tap of a finger reads a size, the second tries it.
  const isTap = useRef(true);
  const scales = curveScales(lines, points, { width, height }, other);
  const { x, y, low, wide } = scales;
  const sizes = readableSizes(lines);
  const base = lines.find(({ rank }) => rank === 0) ?? lines[0];
  const bottom = height - MARGIN.bottom;
  const labels = chartLabels({ points, base, isOfWhole, other }, scales, {
    width,
    height,
  });

  const { at, readStop, leave, dismiss, tip, onKeyDown, values } = useStops({
    n: sizes.length,
    page: Math.max(1, Math.round(sizes.length / 12)),
    stopAt: (next) => {
      const entries = sizes[next];
      if (entries === undefined || !box.current) return undefined;
      const { left, top } = box.current.getBoundingClientRect();
      const content = (
        <Reading lines={lines} entries={entries} array={arrayOf(entries)} />
      );
      const place = {
        left: left + x(entries) - 8,
        top: top + MARGIN.top,
        width: 16,
        height: 1,
      };
      return { place, content };
    },
    onEnter: (chosen, isShift) => take(sizes[chosen], isShift),
  });
  const read = at === undefined ? undefined : sizes[at];
  function take(entries: number | undefined, isOpen: boolean) {
    if (entries === undefined || arrayOf(entries) === undefined) return;
    dismiss();
    if (isOpen) onOpen(entries);
    else onPick(entries);
  }
  const sizeAt = (event: MouseEvent<HTMLDivElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    return nearestSize(sizes, x.invert(event.clientX - left));
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    readStop(sizes.indexOf(sizeAt(event)));
  };
  const onPress = (event: PointerEvent<HTMLDivElement>) => {
    isTap.current = event.pointerType !== "touch" || sizeAt(event) === read;
    onPointer(event);
  };
  const reading = read === undefined ? undefined : readAt(lines, read);

  return (
    <div className="wi-chart" ref={box} style={{ height }}>
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={curveSentence(lines, points)}
      >
        <clipPath id={clip}>
          <rect
            x={MARGIN.left}
            y={MARGIN.top - 8}
            width={Math.max(0, width - MARGIN.left - MARGIN.right)}
            height={bottom - MARGIN.top + 12}
          />
        </clipPath>
        <text x="0" y={MARGIN.top - 22} className="wi-axis-name">
          misses
        </text>
        {missTicks(scales).map((n) => (
          <g key={n}>
            <path
              className="wi-grid"
              d={`M${MARGIN.left} ${y(n)}H${width - MARGIN.right}`}
            />
            <text
              x={MARGIN.left - 8}
              y={y(n) + 4}
              className="wi-tick"
              textAnchor="end"
            >
              {tickCount(n)}
            </text>
          </g>
        ))}
        {sizeTicks(scales, width).map((n) => (
          <g key={n}>
            <path className="wi-grid" d={`M${x(n)} ${MARGIN.top}V${bottom}`} />
            <text
              x={x(n)}
              y={bottom + 16}
              className="wi-tick"
              textAnchor={x(n) > width - 30 ? "end" : "middle"}
            >
              {count(n)}
            </text>
            <text
              x={x(n)}
              y={MARGIN.top - 6}
              className="wi-tick"
              textAnchor={x(n) > width - 30 ? "end" : "middle"}
            >
              {shortSize(n * bytesOf(size))}
            </text>
          </g>
        ))}
        <text
          x={(MARGIN.left + width - MARGIN.right) / 2}
          y={MARGIN.top - 22}
          className="wi-axis-name"
          textAnchor="middle"
        >
          reach with {size} pages
        </text>
        <text
          x={(MARGIN.left + width - MARGIN.right) / 2}
          y={height - 4}
          className="wi-axis-name"
          textAnchor="middle"
        >
          entries, fully associative LRU
        </text>
        {base && base.cold > 0 ? (
          <g>
            <path
              className="wi-floor"
              d={`M${MARGIN.left} ${y(Math.max(low, base.cold))}H${width - MARGIN.right}`}
            />
            {isOfWhole && base.cold <= wide ? (
              <path
                className="wi-footprint"
                d={`M${x(base.cold)} ${MARGIN.top}V${bottom}`}
              />
            ) : null}
          </g>
        ) : null}
        <g clipPath={`url(#${clip})`}>
          {[...lines].reverse().map((line) => (
            <path
              key={line.id}
              d={curvePath(line, scales)}
              className="wi-line"
              stroke={lineColour(line)}
              strokeDasharray={dash(line)}
            />
          ))}
        </g>
        {other === undefined ? null : (
          <path
            className="wi-other"
            d={`M${x(other)} ${MARGIN.top}V${bottom}`}
          />
        )}
        {points.map((point) => {
          const [px, py] = [x(point.entries), y(Math.max(low, point.misses))];
          return (
            <g key={point.id}>
              <circle cx={px} cy={py} r="6" className="wi-own" />
              <circle cx={px} cy={py} r="2" className="wi-own-core" />
            </g>
          );
        })}
        {labels.map((label) => (
          <text
            key={label.id}
            x={label.x}
            y={label.y}
            textAnchor={label.anchor}
            className={label.isStrong ? "wi-own-name" : "wi-axis-name"}
          >
            {label.text}
          </text>
        ))}
        {reading ? (
          <g data-no-picture="">
            <path
              className="wi-cross"
              d={`M${x(reading.entries)} ${MARGIN.top}V${bottom}`}
            />
          </g>
        ) : null}
      </svg>
      <div
        className="wi-chart-keys"
        role="slider"
        tabIndex={0}
        aria-label="Entries, over the misses of every size; Enter tries one, Shift Enter opens it as a replay"
        {...values}
        aria-valuenow={at ?? 0}
        onKeyDown={onKeyDown}
        aria-valuetext={
          reading
            ? `${reading.title}, misses: ${reading.rows.map(({ name, misses }) => `${name} ${misses}`).join(", ")}; ${arrayOf(reading.entries) ?? "no array of a machine"}`
            : "Arrow keys read the counts"
        }
        onPointerMove={onPointer}
        onPointerDown={onPress}
        onClick={(event) => {
          if (isTap.current) take(sizeAt(event), false);
        }}
        onDoubleClick={(event) => take(sizeAt(event), true)}
        onPointerLeave={({ pointerType }) => {
          if (pointerType !== "touch") leave();
        }}
      />
      {tip}
    </div>
  );
}

/** A short size for an axis: `512K`, `16M`. */
function shortSize(bytes: number): string {
  return memorySize(bytes)
    .replace(/ (\w)iB$/, "$1")
    .replace(/ B$/, "")
    .replace(/\.0(?=\D)/, "");
}

interface ReadingProps {
  readonly lines: readonly CurveLine[];
  readonly entries: number;
  /** The array that a click tries. */
  readonly array: string | undefined;
}

function Reading({ lines, entries, array }: ReadingProps) {
  const { title, rows } = readAt(lines, entries);
  const hasLocal = rows.some(({ local }) => local !== "");
  return (
    <>
      <table className="wi-reading">
        <caption>{title}, fully associative LRU</caption>
        <thead>
          <tr>
            <th scope="col">pages</th>
            <th scope="col">misses</th>
            <th scope="col">of all</th>
            {hasLocal ? <th scope="col">of level 2</th> : null}
            <th scope="col">reach</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.name.replace(/ pages$/, "")}</th>
              <td>{row.misses}</td>
              <td>{row.share}</td>
              {hasLocal ? <td>{row.local}</td> : null}
              <td>{row.reach}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="tip-note">
        {array === undefined
          ? "No machine can have an array of this size."
          : `Click to try ${array}; double-click to open it as a replay.`}
      </p>
    </>
  );
}

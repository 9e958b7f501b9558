/** The boxes and names of an icicle. */
import type { CallFrame } from "../../model/attribution/calls";

export interface CallFramesProps {
  /** The prefix of the ids of frames. */
  readonly id: string;
  readonly frames: readonly CallFrame[];
  /** The nodes that a search found; `undefined` without a search. */
  readonly found: ReadonlySet<number> | undefined;
  /** The node that the keyboard is on. */
  readonly read: number | undefined;
  readonly size: {
    readonly width: number;
    readonly row: number;
    readonly scale: number;
  };
  readonly labelOf: (frame: CallFrame) => string;
  readonly onZoom: (at: number) => void;
  readonly onHover: (element: Element, frame: CallFrame) => void;
  readonly onLeave: () => void;
}

/** The mean width of a character in pixels, and the space beside a name. */
const CHARACTER = 7.4;
const PADDING = 4;

export function CallFrames(props: CallFramesProps) {
  const { id, frames, found, read, size, labelOf } = props;
  return frames.map((frame) => {
    const x = frame.from * size.width;
    const width = (frame.to - frame.from) * size.width;
    const isDim = found !== undefined && !found.has(frame.at);
    return (
      <g
        key={frame.at}
        id={`${id}-${frame.at}`}
        role="treeitem"
        aria-level={frame.depth + 1}
        aria-label={labelOf(frame)}
        aria-selected={frame.at === read}
        className="calls-frame"
        data-heat={frame.isAbove ? undefined : frame.heat}
        data-dim={isDim || undefined}
        data-found={found?.has(frame.at) || undefined}
        data-read={frame.at === read || undefined}
        transform={`translate(${x.toFixed(2)} ${frame.depth * size.row})`}
        onClick={() => props.onZoom(frame.at)}
        onPointerEnter={(event) => props.onHover(event.currentTarget, frame)}
        onPointerLeave={props.onLeave}
      >
        <rect
          width={Math.max(0.5, width - 1).toFixed(2)}
          height={size.row - 1}
        />
        <text
          x={PADDING}
          y={size.row / 2}
          dominantBaseline="central"
          aria-hidden="true"
        >
          {fit(frame.name, (width - 2 * PADDING) / (CHARACTER * size.scale))}
        </text>
      </g>
    );
  });
}

/** As much of a name as there is room for. */
function fit(name: string, room: number): string {
  if (name.length <= room) return name;
  return room < 3 ? "" : `${name.slice(0, Math.floor(room) - 1)}…`;
}

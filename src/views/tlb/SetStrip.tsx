/** One opened set of a large array: a wedge from its place in the map to its ways as cells. */
import { entryAt } from "../../model/tlb/array";
import { wayGroups } from "../../model/tlb/set";
import { useTip } from "../shared/useTip";
import type { ArrayPicture } from "./arrayPicture";
import { isHidden } from "./arrayPicture";
import { Cell } from "./Cell";
import { entryTip } from "./entryTip";
import { arrayPlaces, slotPlaces } from "./objects";

export interface SetStripProps extends ArrayPicture {
  readonly set: number;
  /** The first and the last way shown. */
  readonly from: number;
  readonly to: number;
  readonly age: (usedAt: number) => number;
  /** The position of the set in the map above. */
  readonly left: number;
  readonly right: number;
  readonly gutter: number;
  readonly width: number;
}

const TOP = 24;
const CELL = 23;
const GROUP_GAP = 11;

export function SetStrip({
  view,
  content,
  event,
  picked,
  shown,
  onPick,
  set,
  from,
  to,
  age,
  left,
  right,
  gutter,
  width,
}: SetStripProps) {
  const { show, hide, tip } = useTip();
  const { ways } = view;
  const usedAt = Array.from(
    { length: ways },
    (_, way) => entryAt(content, ways, set, way)?.usedAt ?? -1,
  );
  const groups = wayGroups(view, usedAt);
  const labelled = groups.length > 1;
  const room = width - gutter - (groups.length - 1) * GROUP_GAP;
  const pitch = Math.min(room / (to - from), 90);
  const groupOf = (way: number) => groups.findIndex((group) => way < group.to);
  const x = (way: number) =>
    gutter + (way - from) * pitch + Math.max(groupOf(way), 0) * GROUP_GAP;
  const marked = event.set === set && event.what !== "miss" ? event.way : null;
  return (
    <>
      <svg
        className="tlb-svg tlb-strip"
        width={width}
        height={TOP + CELL + (labelled ? 28 : 4)}
        aria-hidden="true"
      >
        <path
          className="tlb-wedge"
          d={`M${left} 0L${gutter} ${TOP - 2}H${x(to - 1) + pitch - 3}L${right} 0Z`}
        />
        <g {...slotPlaces(view.role, event, set, false)}>
          <SetName name={view.sets === 1 ? `${from} …` : `set ${set}`} />
          <rect
            className="lit-frame"
            x={-3}
            y={TOP - 4}
            width={gutter - 2}
            height={CELL + 8}
            rx={3}
          />
        </g>
        {Array.from({ length: to - from }, (_, at) => {
          const way = from + at;
          const entry = entryAt(content, ways, set, way);
          return (
            <g
              key={way}
              data-flight={marked === way ? view.role : undefined}
              {...slotPlaces(view.role, event, set, marked === way)}
              onClick={() => onPick(set, way)}
              onPointerEnter={(pointer) => {
                if (entry) show(pointer.currentTarget, entryTip(entry));
              }}
              onPointerLeave={hide}
            >
              <Cell
                entry={entry}
                x={x(way)}
                y={TOP}
                width={pitch - 3}
                height={CELL}
                age={entry ? age(entry.usedAt) : 3}
                next={content.next[set] === way}
                mark={marked === way ? event.outcome : null}
                dim={entry !== null && isHidden(entry, shown)}
              />
              {marked === way ? (
                <rect
                  className="lit-frame"
                  {...arrayPlaces(view.role, "entry")}
                  x={x(way) - 3}
                  y={TOP - 3}
                  width={pitch + 3}
                  height={CELL + 6}
                  rx={4}
                />
              ) : null}
              {picked?.way === way ? (
                <rect
                  className="tlb-picked"
                  x={x(way) - 1}
                  y={TOP - 1}
                  width={pitch - 1}
                  height={CELL + 2}
                  rx={3}
                />
              ) : null}
            </g>
          );
        })}
        {labelled
          ? groups.map((group) => {
              const start = x(group.from);
              const end = x(group.to - 1) + pitch - 3;
              return (
                <g key={group.from}>
                  <path
                    className="tlb-bracket"
                    d={`M${start} ${TOP + CELL + 5}v4H${end}v-4`}
                  />
                  <text
                    x={(start + end) / 2}
                    y={TOP + CELL + 22}
                    className="xs quiet"
                    textAnchor="middle"
                  >
                    {group.label}
                  </text>
                </g>
              );
            })
          : null}
      </svg>
      {tip}
    </>
  );
}

/** Names the set within the gutter: a number of three digits or more is below the word. */
function SetName({ name }: { readonly name: string }) {
  const [word = "", number] = name.split(" ");
  if (name.length <= "set 99".length)
    return (
      <text x={0} y={TOP + 16} className="xs b">
        {name}
      </text>
    );
  return (
    <text y={TOP + 9} className="xs b">
      <tspan x={0}>{word}</tspan>
      <tspan x={0} dy={13}>
        {number}
      </tspan>
    </text>
  );
}

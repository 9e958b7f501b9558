/** The numbers of the sets above their columns. If a press on a set answers a question, they look like buttons. */
import type { StructureRole } from "../../engine/generated/StructureRole";
import type { ArrayEvent } from "../../model/tlb/event";
import { slotPlaces } from "./objects";

export interface SetHeadsProps {
  readonly role: StructureRole;
  readonly event: ArrayEvent;
  readonly sets: number;
  /** The left edge of the first column, and the width of one. */
  readonly left: number;
  readonly pitch: number;
  readonly gap: number;
  /** Whether the word “set” has space on the left. */
  readonly named: boolean;
  /** The set that a reader expects. */
  readonly guess: number | null;
  /** Missing = a press does nothing. */
  readonly onChoose: ((set: number) => void) | undefined;
}

/** The height of the row without and with buttons. */
export const HEADS = { plain: 22, buttons: 30 } as const;

export function SetHeads(props: SetHeadsProps) {
  const { role, event, sets, left, pitch, gap, named, guess, onChoose } = props;
  const width = Math.min(pitch - gap - 2, 44);
  return (
    <g aria-hidden="true">
      {named ? (
        <text x={0} y={onChoose ? 17 : 14} className="xs faint">
          set
        </text>
      ) : null}
      {Array.from({ length: sets }, (_, set) => {
        const middle = left + (set + 0.5) * pitch - gap / 2;
        const isChosen = onChoose !== undefined && set === guess;
        const tone = set === event.set ? `on ink-${event.outcome}` : "faint";
        return (
          <g
            key={set}
            {...slotPlaces(role, event, set, false)}
            {...(onChoose && {
              className: isChosen ? "tlb-head-set chosen" : "tlb-head-set",
              onClick: () => onChoose(set),
            })}
          >
            {onChoose ? (
              <rect
                x={middle - width / 2}
                y={1}
                width={width}
                height={24}
                rx={12}
              />
            ) : null}
            <text
              className={`mono ${onChoose ? "" : tone}`}
              x={middle}
              y={onChoose ? 17 : 14}
              textAnchor="middle"
            >
              {set}
            </text>
          </g>
        );
      })}
    </g>
  );
}

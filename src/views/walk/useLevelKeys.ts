/**
 * Makes a picture of tables one tab stop; arrow keys move between the tables, Escape clears the selection.
 */
import { useId } from "react";
import type { KeyboardEvent } from "react";

export interface LevelPicture {
  readonly selected: number;
  /** Whether the user chose the level; otherwise it is the last entry read. */
  readonly pinned: boolean;
  readonly onSelect: (level: number | null) => void;
  /** The pointer is over a table, whose entry is then shown without being selected. */
  readonly onHover: (level: number | null) => void;
}

/** Attributes of the list and its options. */
export function useLevelKeys(
  { selected, pinned, onSelect, onHover }: LevelPicture,
  count: number,
  label: string,
) {
  const id = useId();
  const optionId = (at: number) => `${id}-${at}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const last = count - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(selected - 1, 0),
      ArrowUp: Math.max(selected - 1, 0),
      ArrowRight: Math.min(selected + 1, last),
      ArrowDown: Math.min(selected + 1, last),
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (to !== undefined) onSelect(to);
    else if (event.key === "Escape" && pinned) onSelect(null);
    else return;
    // Arrow keys also step the replay, so they must not propagate from here.
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    list: {
      role: "listbox",
      tabIndex: 0,
      "aria-label": label,
      "aria-activedescendant": optionId(selected),
      onKeyDown,
    } as const,
    option: (at: number) =>
      ({
        id: optionId(at),
        role: "option",
        "aria-selected": at === selected,
        onClick: () => onSelect(at),
        onPointerEnter: () => onHover(at),
        onPointerLeave: () => onHover(null),
      }) as const,
  };
}

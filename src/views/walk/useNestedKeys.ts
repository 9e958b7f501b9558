/**
 * Makes the grid one tab stop: ← → step through the walk, ↑ ↓ select in a column, Home starts the walk, End
 * and Escape show the whole walk.
 */
import { useId } from "react";
import type { KeyboardEvent } from "react";
import type { Grid, GridCell } from "../../model/walk/nested/grid";
import type { NestedChoice } from "./useNestedWalk";

/** Attributes of the list and its options. */
export function useNestedKeys(grid: Grid, choice: NestedChoice) {
  const id = useId();
  const optionId = ({ view }: GridCell) => `${id}-${view.n}`;
  const { selected, pinned } = choice;
  const vertical = (by: 1 | -1) => {
    if (!selected) return;
    const column = grid.cells.filter((cell) => cell.column === selected.column);
    const next = column[column.indexOf(selected) + by];
    if (next) choice.onPick(next);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: choice.onForward,
    ArrowLeft: choice.onBack,
    ArrowUp: () => vertical(-1),
    ArrowDown: () => vertical(1),
    Home: choice.onFirst,
    End: choice.onWhole,
    ...(pinned ? { Escape: choice.onWhole } : {}),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    act();
    // Arrow keys also step the replay, so they must not propagate from here.
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    list: {
      role: "listbox",
      tabIndex: 0,
      "aria-label": "References of the walk",
      "aria-activedescendant": selected ? optionId(selected) : undefined,
      onKeyDown,
    } as const,
    option: (cell: GridCell) =>
      ({
        id: optionId(cell),
        role: "option",
        "aria-selected": cell === selected,
        onClick: () => choice.onPick(cell),
        onPointerEnter: () => choice.onHover(cell),
        onPointerLeave: () => choice.onHover(null),
      }) as const,
  };
}

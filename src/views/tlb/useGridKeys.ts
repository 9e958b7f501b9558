/** Makes a grid of cells one tab stop: arrow keys move a cursor, Enter picks. */
import { useId, useState } from "react";
import type { FocusEvent, KeyboardEvent } from "react";

export interface GridCursor {
  readonly column: number;
  readonly row: number;
}

export function useGridKeys(
  columns: number,
  rows: number,
  cursor: GridCursor,
  onCursor: (cursor: GridCursor) => void,
  onPick: (cursor: GridCursor) => void,
  /** Clears the selection; `null` if nothing is selected. */
  onDrop: (() => void) | null,
  /** Whether Enter has nothing to pick at a cell, so that the page gets it. */
  isPassed: (cursor: GridCursor) => boolean = () => false,
) {
  const id = useId();
  const [focused, setFocused] = useState(false);
  const cellId = (column: number, row: number) => `${id}-${column}-${row}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const { column, row } = cursor;
    const moves: Readonly<Record<string, GridCursor>> = {
      ArrowLeft: { column: Math.max(column - 1, 0), row },
      ArrowRight: { column: Math.min(column + 1, columns - 1), row },
      ArrowUp: { column, row: Math.max(row - 1, 0) },
      ArrowDown: { column, row: Math.min(row + 1, rows - 1) },
      Home: { column: 0, row },
      End: { column: columns - 1, row },
    };
    const to = moves[event.key];
    if (to) onCursor(to);
    else if (event.key === "Enter" && isPassed(cursor)) return;
    else if (event.key === "Enter") onPick(cursor);
    else if (event.key === "Escape" && onDrop) onDrop();
    else return;
    // Arrow keys also step the replay, so they must not propagate from here.
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    focused,
    grid: {
      role: "grid",
      tabIndex: 0,
      "aria-activedescendant": cellId(
        Math.min(cursor.column, columns - 1),
        Math.min(cursor.row, rows - 1),
      ),
      onKeyDown,
      // A click needs no focus ring, since the selected cell has an outline.
      onFocus: (event: FocusEvent) =>
        setFocused(event.target.matches(":focus-visible")),
      onBlur: () => setFocused(false),
    } as const,
    cell: (column: number, row: number) =>
      ({ id: cellId(column, row), role: "gridcell" }) as const,
  };
}

/**
 * The view of a nested walk. A click or the vertical arrows select a cell. The horizontal arrows step through
 * the walk; cells after the current step are not drawn yet.
 */
import { useState } from "react";
import { isRead, lastRead } from "../../model/walk/nested/grid";
import type { Grid, GridCell } from "../../model/walk/nested/grid";
import { stepOf } from "../../model/walk/nested/steps";
import type { WalkStep } from "../../model/walk/nested/steps";
import { useStepping } from "./useStepping";
import type { OwnedStep } from "./useStepping";

export interface NestedChoice {
  /** The cell that is explained. */
  readonly shown: GridCell | undefined;
  /** The cell with the keyboard cursor. */
  readonly selected: GridCell | undefined;
  /** Whether the user selected it or stepped to it. */
  readonly pinned: boolean;
  /** The current step of the walk, from 0; `null` shows the whole walk. */
  readonly at: number | null;
  readonly onPick: (cell: GridCell) => void;
  readonly onHover: (cell: GridCell | null) => void;
  readonly onForward: () => void;
  readonly onBack: () => void;
  /** Goes to the first step. */
  readonly onFirst: () => void;
  /** Shows the whole walk again. */
  readonly onWhole: () => void;
}

/** `key` identifies the access: a new one starts with its whole walk, unless an owner keeps the step. */
export function useNestedWalk(
  key: string,
  grid: Grid,
  steps: readonly WalkStep[],
  owned?: OwnedStep,
): NestedChoice {
  const stepping = useStepping(key, steps.length, owned);
  const [hovered, setHovered] = useState<{ key: string; n: number } | null>(
    null,
  );
  const { picked, at, pinned } = stepping;
  const byNumber = (n: number | null | undefined) =>
    grid.cells.find(({ view }) => view.n === n);
  const stepped = at === null ? undefined : headOf(steps[at]);
  const selected = stepped ?? byNumber(picked) ?? lastRead(grid);
  const pointed = hovered?.key === key ? byNumber(hovered.n) : undefined;
  const here = selected ? stepOf(steps, selected) : 0;
  return {
    shown: pointed ?? selected,
    selected,
    pinned,
    at,
    onPick: ({ view }) => stepping.pick(view.n),
    onHover: (cell) => setHovered(cell ? { key, n: cell.view.n } : null),
    onForward: () => stepping.forward(here),
    onBack: () => stepping.back(here),
    onFirst: stepping.first,
    onWhole: stepping.whole,
  };
}

/** The cell of a step; the first one if the step skips several. */
function headOf(step: WalkStep | undefined): GridCell | undefined {
  return step?.cells.find(isRead) ?? step?.cells[0];
}

/**
 * A nested walk as steps in time. A step is a reference, or a hit in a structure that skips any number of
 * references.
 */
import { isRead } from "./grid";
import type { Grid, GridCell } from "./grid";
import type { Skip } from "./skip";

export interface WalkStep {
  /** The cells in the order of the walk; one cell if it was read. */
  readonly cells: readonly GridCell[];
  /** What skipped these cells; `null` if the one cell was read. */
  readonly skip: Skip | null;
}

export function walkSteps({ cells }: Pick<Grid, "cells">): WalkStep[] {
  const steps: WalkStep[] = [];
  let open: GridCell[] = [];
  const close = () => {
    const [first] = open;
    if (first) steps.push({ cells: open, skip: first.skip });
    open = [];
  };
  for (const cell of cells) {
    const last = open.at(-1);
    if (last && !continues(last, cell)) close();
    open.push(cell);
    if (isRead(cell)) close();
  }
  close();
  return steps;
}

/** A hit in a TLB or in a combined cache skips whole rows; other hits skip cells of one row. */
function continues(last: GridCell, next: GridCell): boolean {
  if (!last.skip || last.skip.kind !== next.skip?.kind) return false;
  const { kind } = last.skip;
  return last.row === next.row || kind === "tlb" || kind === "combined";
}

/** The cells that the walk has reached at a step; all of them without one. */
export function reachedCells(
  { cells }: Pick<Grid, "cells">,
  steps: readonly WalkStep[],
  at: number | null,
): readonly GridCell[] {
  return at === null
    ? cells
    : steps.slice(0, at + 1).flatMap((step) => step.cells);
}

/** The step of a cell. */
export function stepOf(steps: readonly WalkStep[], cell: GridCell): number {
  return steps.findIndex(({ cells }) => cells.includes(cell));
}

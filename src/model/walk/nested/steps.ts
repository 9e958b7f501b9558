/**
 * A two-dimensional walk as a story: what happened one after the other. A reference is one step,
 * and so is a hit in a structure, however many references it makes unnecessary.
 */
import { isRead } from "./grid";
import type { Grid, GridCell } from "./grid";
import type { Skip } from "./skip";

export interface WalkStep {
  /** In the order of the walk; one if it was read. */
  readonly cells: readonly GridCell[];
  /** What made these cells unnecessary; `null` if the one cell was read. */
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

/** A hit in a TLB or in a combined cache skips whole rows; all others know one address only. */
function continues(last: GridCell, next: GridCell): boolean {
  if (!last.skip || last.skip.kind !== next.skip?.kind) return false;
  const { kind } = last.skip;
  return last.row === next.row || kind === "tlb" || kind === "combined";
}

/** The step that a cell belongs to. */
export function stepOf(steps: readonly WalkStep[], cell: GridCell): number {
  return steps.findIndex(({ cells }) => cells.includes(cell));
}

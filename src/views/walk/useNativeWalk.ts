/** The view of a one-dimensional walk: the selected table and the current step, as `useNestedWalk` has them. */
import { useState } from "react";
import type { NativeStep } from "../../model/walk/steps";
import { stepOfTable } from "../../model/walk/steps";
import { useStepping } from "./useStepping";
import type { OwnedStep } from "./useStepping";

export interface NativeChoice {
  /** The table with the keyboard cursor, from the root. */
  readonly selected: number;
  /** The table whose entry is shown: the one under the pointer, otherwise the selected one. */
  readonly shown: number;
  /** The step that is explained: that of the shown table, or the current one. */
  readonly told: number;
  /** Whether the user selected a table or is at a step. */
  readonly pinned: boolean;
  /** The current step of the walk, from 0; `null` shows the whole walk. */
  readonly at: number | null;
  readonly onPick: (table: number) => void;
  readonly onHover: (table: number | null) => void;
  readonly onForward: () => void;
  readonly onBack: () => void;
  readonly onFirst: () => void;
  readonly onWhole: () => void;
}

/** `key` identifies the access; `usual` is the table that is shown until the user selects one. */
export function useNativeWalk(
  key: string,
  steps: readonly NativeStep[],
  usual: number,
  owned?: OwnedStep,
): NativeChoice {
  const stepping = useStepping(key, steps.length, owned);
  const [hovered, setHovered] = useState<{ key: string; at: number } | null>(
    null,
  );
  const { picked, at, pinned } = stepping;
  const stepped = at === null ? undefined : steps[at]?.tables.at(-1);
  // At the last step the leaf stays selected: the page is no table.
  const selected = at === null ? (picked ?? usual) : (stepped ?? usual);
  const here = stepOfTable(steps, selected);
  const pointed = hovered?.key === key ? hovered.at : null;
  return {
    selected,
    shown: pointed ?? selected,
    told: pointed === null ? (at ?? here) : stepOfTable(steps, pointed),
    pinned,
    at,
    onPick: stepping.pick,
    onHover: (at) => setHovered(at === null ? null : { key, at }),
    onForward: () => stepping.forward(here),
    onBack: () => stepping.back(here),
    onFirst: stepping.first,
    onWhole: stepping.whole,
  };
}

/** The number of tables that the walk has reached, and whether it has read the lines of hashed tables and reached the page. */
export function reachedOf(
  steps: readonly NativeStep[],
  at: number | null,
  nTables: number,
): {
  readonly tables: number;
  /** Whether the lines of a walk of hashed tables are read. */
  readonly lines: boolean;
  readonly page: boolean;
} {
  if (at === null) return { tables: nTables, lines: true, page: true };
  const done = steps.slice(0, at + 1);
  const tables = Math.max(
    0,
    ...done.flatMap((step) => step.tables).map((table) => table + 1),
  );
  return {
    tables,
    lines: tables > 0 || nTables === 0,
    page: done.at(-1)?.kind === "page",
  };
}

/**
 * The nested walk as a grid: guest tables from top to bottom, host tables from left to right. The outline
 * shows the dimension, the fill shows which cache served the read, the hatch shows what skipped it.
 */
import { useRef } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { cellChangeText } from "../../model/walk/nested/changes";
import type { CellChanges } from "../../model/walk/nested/changes";
import { isRead, sameEntry } from "../../model/walk/nested/grid";
import type { Grid, GridCell } from "../../model/walk/nested/grid";
import { nestedLayout } from "../../model/walk/nested/layout";
import type { Low } from "../../model/walk/nested/layout";
import { plates } from "../../model/walk/nested/plates";
import { reachedCells } from "../../model/walk/nested/steps";
import type { WalkStep } from "../../model/walk/nested/steps";
import { cellSentence } from "../../model/walk/nested/text";
import { useSize, useTextScale } from "../shared/useSize";
import { CellBox, CellHit, ChangedBox, ChosenBox, SameBox } from "./NestedCell";
import { NestedFrame } from "./NestedFrame";
import { NestedPlate } from "./NestedPlate";
import { NestedSums } from "./NestedSums";
import { NoCells } from "./NoCells";
import type { NestedChoice } from "./useNestedWalk";
import { useNestedKeys } from "./useNestedKeys";

export interface NestedGridProps {
  readonly machine: MachineView;
  readonly translation: TranslationView;
  readonly grid: Grid;
  readonly steps: readonly WalkStep[];
  readonly choice: NestedChoice;
  readonly changes: CellChanges;
  /** The width before it is measured. */
  readonly initial: number;
  /** For a low screen. */
  readonly low: Low;
}

export function NestedGrid({
  machine,
  translation,
  grid,
  steps,
  choice,
  changes,
  initial,
  low,
}: NestedGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useSize(frame, { width: initial, height: 0 });
  const hosts = grid.hostLevels.length;
  const text = useTextScale();
  const layout = nestedLayout(hosts, grid.rows.length, width / text, low);
  const keys = useNestedKeys(grid, choice);
  const { at, shown, pinned } = choice;
  const known = reachedCells(grid, steps, at);
  const isToCome = (cell: GridCell) => !known.includes(cell);
  const done = at === null ? steps : steps.slice(0, at + 1);
  return (
    <>
      <div className="walk-picture nested" ref={frame} {...keys.list}>
        <svg
          className="walk-svg nested-svg"
          width={layout.width * text}
          height={layout.height * text}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          role="presentation"
          data-size={layout.size}
        >
          <g aria-hidden="true">
            <NestedFrame
              grid={grid}
              layout={layout}
              physical={at === null ? translation.physical : null}
            />
            {grid.rows.map((row, at) => (
              <NoCells key={row.name} row={row} at={at} layout={layout} />
            ))}
            {grid.cells.map((cell) => (
              <CellBox
                key={cell.view.n}
                cell={cell}
                layout={layout}
                machine={machine}
                toCome={isToCome(cell)}
              />
            ))}
            {plates(done, hosts, layout, translation).map((plate) => (
              <NestedPlate key={`${plate.x} ${plate.y}`} plate={plate} />
            ))}
            <NestedSums
              grid={grid}
              known={known}
              layout={layout}
              overhead={
                translation.cycles.total - translation.cycles.references
              }
            />
            {grid.cells
              .filter(({ view }) => changes.has(view.n))
              .map((cell) => (
                <ChangedBox key={cell.view.n} cell={cell} layout={layout} />
              ))}
            {shown && isRead(shown)
              ? sameEntry(grid, shown)
                  .filter((cell) => !isToCome(cell))
                  .map((cell) => (
                    <SameBox key={cell.view.n} cell={cell} layout={layout} />
                  ))
              : null}
            {shown && (pinned || isRead(shown)) ? (
              <ChosenBox cell={shown} layout={layout} />
            ) : null}
          </g>
          {grid.cells.map((cell) => (
            <CellHit
              key={cell.view.n}
              cell={cell}
              layout={layout}
              label={
                isToCome(cell)
                  ? `Reference ${cell.view.n}, not reached yet`
                  : labelOf(cell, changes)
              }
              attributes={keys.option(cell)}
            />
          ))}
        </svg>
      </div>
      {/* This text is next to the list, because a list may contain only its options. */}
      <p className="visually-hidden" aria-live="polite">
        {at !== null && choice.selected
          ? `Step ${at + 1} of ${steps.length}: ${cellSentence(choice.selected)}`
          : ""}
      </p>
    </>
  );
}

function labelOf(cell: GridCell, changes: CellChanges): string {
  const change = cellChangeText(changes, cell);
  return change === ""
    ? cellSentence(cell)
    : `${cellSentence(cell)}; its entry was changed: ${change}`;
}

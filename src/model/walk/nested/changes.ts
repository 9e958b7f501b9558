/** The entries of a nested walk that software changed around an access. */
import type { ChangeView } from "../../../engine/generated/ChangeView";
import type { StepView } from "../../../engine/generated/StepView";
import { changeText } from "../../replay/effects";
import { changesOf } from "../../replay/effectMarks";
import type { Grid, GridCell } from "./grid";
import { rowAddress } from "./text";

/** By number of the reference: the last change of its entry, except its first mapping. */
export type CellChanges = ReadonlyMap<number, ChangeView>;

export function cellChanges(
  step: Pick<StepView, "before" | "acts" | "after">,
  grid: Grid,
): CellChanges {
  const changes = changesOf(step);
  return new Map(
    grid.cells.flatMap((cell) => {
      const isHost = cell.view.dimension === "host";
      // Changes of guest tables are reported by guest-physical addresses.
      const address = isHost ? cell.view.address : rowAddress(cell, grid);
      const change = changes.findLast(
        ({ host, entry_address }) =>
          host === isHost && BigInt(entry_address) === BigInt(address),
      );
      return change ? [[cell.view.n, change]] : [];
    }),
  );
}

/** The change, `W 1→0, by the host`; empty if the entry did not change. */
export function cellChangeText(
  changes: CellChanges,
  { view }: GridCell,
): string {
  const change = changes.get(view.n);
  if (!change) return "";
  return `${changeText(change)}, by the ${change.host ? "host" : "guest"}`;
}

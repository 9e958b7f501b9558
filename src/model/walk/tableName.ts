import type { LevelView } from "../../engine/generated/LevelView";
import type { MachineView } from "../../engine/generated/MachineView";

const X86 = ["PT", "PD", "PDPT", "PML4", "PML5"];

/**
 * The name of the table of a level, 1 the lowest. A walk names the tables that it reached; the others follow from the
 * vendor’s usual names, or from a number in the name of the root: `level 2` has `level 1` below it.
 */
export function tableName(
  { tables }: Pick<MachineView, "tables">,
  known: readonly Pick<LevelView, "level" | "table_name">[],
  level: number,
): string {
  const found = known.find((each) => each.level === level);
  const other = `level ${level}`;
  if (found) return found.table_name;
  if (tables === "arm") return `L${4 - level}`;
  if (tables !== "plain") return X86[level - 1] ?? other;
  const [root] = known;
  const [, word, n] = /^(\D*)(\d)$/.exec(root?.table_name ?? "") ?? [];
  return !root || word === undefined || n === undefined
    ? other
    : `${word}${Number(n) - root.level + level}`;
}

/** Accesses with different outcomes on two machines, in words and numbers. */
import type { Ended } from "../../engine/generated/Ended";
import type { LockstepView } from "../../engine/generated/LockstepView";
import type { Outcome } from "../../engine/generated/Outcome";
import { csv } from "../shared/csv";
import { count, counted, percentOf } from "../shared/format";
import { OUTCOMES, outcomesWith, outcomeWord } from "../shared/outcome";

/** An outcome in words: `walk, 4 references`. */
export function endedText({ outcome, refs }: Ended): string {
  const word = outcomeWord(outcome);
  return refs > 0 ? `${word}, ${counted(refs, "reference")}` : word;
}

/** A sentence: `1,204 of 398,306 accesses end differently (0.3 %).` */
export function differingText({ from, to, differing }: LockstepView): string {
  const n = to - from;
  if (n === 0) return "No access is simulated on both.";
  if (differing === 0)
    return `All ${counted(n, "access", "accesses")} end the same: at the same level, with as many references.`;
  const verb = differing === 1 ? "ends" : "end";
  return `${count(differing)} of ${counted(n, "access", "accesses")} ${verb} differently (${percentOf(differing, n)}).`;
}

export interface MatrixCell {
  readonly left: Outcome;
  readonly right: Outcome;
  readonly n: number;
}

/** The outcomes of the rows and columns. */
export function comparedOutcomes({
  outcomes,
}: LockstepView): readonly Outcome[] {
  const at = OUTCOMES.indexOf("exception");
  return outcomesWith(
    outcomes.some((row, left) =>
      row.some((n, right) => n > 0 && (left === at || right === at)),
    ),
  );
}

/** Accesses by their outcomes on both sides; rows are in the order of the left outcomes. */
export function outcomeCells(view: LockstepView): MatrixCell[][] {
  const shown = comparedOutcomes(view);
  return shown.map((left, row) =>
    shown.map((right, column) => ({
      left,
      right,
      n: view.outcomes[row]?.[column] ?? 0,
    })),
  );
}

/**
 * How many accesses are more expensive on the right, and how many are cheaper, by outcome alone. An access that ends by an
 * exception has no cost to compare.
 */
export function moved(view: LockstepView): {
  costlier: number;
  cheaper: number;
} {
  const cells = outcomeCells(view)
    .flat()
    .filter(({ left, right }) => left !== "exception" && right !== "exception");
  const rank = (outcome: Outcome) => OUTCOMES.indexOf(outcome);
  const sum = (wanted: (cell: MatrixCell) => boolean) =>
    cells.filter(wanted).reduce((total, { n }) => total + n, 0);
  return {
    costlier: sum(({ left, right }) => rank(right) > rank(left)),
    cheaper: sum(({ left, right }) => rank(right) < rank(left)),
  };
}

/** Accesses by both outcomes as CSV: one line per pair of outcomes. */
export function outcomesCsv(view: LockstepView): string {
  return csv([
    ["left", "right", "accesses"],
    ...outcomeCells(view)
      .flat()
      .map(({ left, right, n }) => [outcomeWord(left), outcomeWord(right), n]),
  ]);
}

/** The listed part: `first 200 of 1,204`; empty if all differing accesses are listed. */
export function listedText({ listed, differing }: LockstepView): string {
  return differing > listed.length
    ? `first ${count(listed.length)} of ${count(differing)}`
    : "";
}

/**
 * The listed accesses as CSV: each with its index among the differing ones, their number, and the references
 * of its walks.
 */
export function differencesCsv({ listed, differing }: LockstepView): string {
  return csv([
    [
      "number",
      "of all that differ",
      "access",
      "left",
      "left references",
      "right",
      "right references",
    ],
    ...listed.map(({ index, left, right }, at) => [
      at + 1,
      differing,
      index,
      outcomeWord(left.outcome),
      left.refs,
      outcomeWord(right.outcome),
      right.refs,
    ]),
  ]);
}

/** Walks over time as CSV: one line per bin. */
export function walksCsv(view: LockstepView): string {
  const { from, to, width, left_walks: left, right_walks: right } = view;
  return csv([
    ["first access", "accesses", "left walks", "right walks", "differing"],
    ...left.map((walks, bin) => {
      const first = from + bin * width;
      const n = Math.min(width, to - first);
      return [first, n, walks, right[bin], view.differing_in[bin]];
    }),
  ]);
}

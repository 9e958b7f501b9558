import type { ResultTable } from "../../engine/generated/ResultTable";
import { worstVerdict } from "../../model/experiments/comparison";
import { VerdictIcon } from "./VerdictIcon";

/** The mark of the worst row; nothing without a comparison, since the words say it. */
export function StateMark({
  tables,
}: {
  readonly tables: readonly ResultTable[];
}) {
  const worst = worstVerdict(tables);
  return worst === undefined ? null : <VerdictIcon verdict={worst} />;
}

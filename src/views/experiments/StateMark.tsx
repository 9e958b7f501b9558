import type { ExperimentState } from "../../model/experiments/state";
import { tally } from "../../model/experiments/comparison";
import { VerdictIcon } from "./VerdictIcon";

/** The mark of the worst row; nothing without a comparison, since the words say it. */
export function StateMark({
  state,
}: {
  readonly state: ExperimentState | undefined;
}) {
  if (state?.status !== "done") return null;
  const { worst } = tally(state.result.tables);
  return worst === undefined ? null : <VerdictIcon verdict={worst} />;
}

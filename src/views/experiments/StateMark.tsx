import type { ExperimentState } from "../../model/experiments/state";
import { tally } from "../../model/experiments/comparison";
import { Icon } from "../shared/Icon";

/** A tick if all numbers agree; nothing otherwise, since the words say it. */
export function StateMark({
  state,
}: {
  readonly state: ExperimentState | undefined;
}) {
  if (state?.status !== "done") return null;
  const { agree, compared } = tally(state.result.tables);
  if (compared === 0) return null;
  return <Icon name={agree === compared ? "check" : "close"} size={13} />;
}

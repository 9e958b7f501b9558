import type { ExperimentState } from "../../model/experiments/state";
import { tally } from "../../model/experiments/comparison";
import { Icon } from "../shared/Icon";

/** A tick where all numbers agree; nothing where the words say it all. */
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

/** The page "How we know": loads the statements and runs their checks, one after the other. */
import { isFatal } from "../../engine/errors";
import type { OracleState } from "../../model/experiments/oracles";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { engineError } from "../notices";

/** Runs the checks of every statement that has not been checked. */
export function verifyOracles(context: Context): Promise<void> {
  const { store, engine } = context;
  if (store.getState().oracles) return Promise.resolve();
  // The empty list keeps a second visit from starting the checks again.
  set(context, { oracles: [] });
  return reportErrors(context, async () => {
    const oracles = await engine.call("oracles", {});
    set(context, { oracles });
    for (const { number } of oracles) {
      const state = await check(context, number);
      const { oracleStates } = store.getState();
      set(context, { oracleStates: { ...oracleStates, [number]: state } });
    }
  });
}

async function check(context: Context, number: number): Promise<OracleState> {
  try {
    const result = await context.engine.call("verify", { number });
    return { status: "done", result };
  } catch (thrown) {
    const error = engineError(thrown);
    // After a crash the replay must recover; other errors appear at the statement.
    if (isFatal(error)) throw error;
    return { status: "failed", why: placed(error.message, error.at) };
  }
}

/** Misses by region, page and instruction, counted on request, and a timeline limited to some of them. */
import { isFatal } from "../../engine/errors";
import type { AttributionFilter } from "../../model/attribution/rows";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { engineError } from "../notices";
import { loadTimeline } from "./scene";

/** Counts the run on the screen once; another run aborts it. */
export function attribute(context: Context): Promise<void> {
  const { report, stale, attribution } = context.store.getState();
  if (!report || stale || attribution?.report === report)
    return Promise.resolve();
  set(context, {
    attribution: { report, view: undefined, progress: undefined },
  });
  const isCurrent = () =>
    context.store.getState().attribution?.report === report &&
    context.store.getState().report === report;
  return reportErrors(context, async () => {
    try {
      const view = await context.engine.start(
        "attribution",
        {},
        {
          signal: context.scene.signal,
          onProgress: (progress) => {
            if (isCurrent())
              set(context, {
                attribution: { report, view: undefined, progress },
              });
          },
        },
      );
      if (isCurrent())
        set(context, { attribution: { report, view, progress: undefined } });
    } catch (thrown) {
      const error = engineError(thrown);
      const isOvertaken = !isCurrent() && !isFatal(error);
      // The next request counts it again.
      if (context.store.getState().attribution?.report === report)
        set(context, { attribution: undefined });
      if (!isOvertaken) throw error;
    }
  });
}

/** Limits the timeline to some accesses; `undefined` = no limit. */
export async function showOnly(
  context: Context,
  filter: AttributionFilter | undefined,
): Promise<void> {
  const { trace, stale } = context.store.getState();
  set(context, { only: filter && trace && { trace, filter } });
  if (!stale) await reportErrors(context, () => loadTimeline(context));
}

/** Writes the current trace as text that other programs read. */
import type { ExportedTrace } from "../../engine/engine";
import type { ExportFormat } from "../../engine/generated/ExportFormat";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";

/** The text; `undefined` if it was cancelled, or failed with a notice. */
export async function exportTrace(
  context: Context,
  format: ExportFormat,
): Promise<ExportedTrace | undefined> {
  context.export?.abort();
  const abort = new AbortController();
  context.export = abort;
  const isCurrent = () => context.export === abort;
  set(context, { exporting: { format } });
  let exported: ExportedTrace | undefined;
  await reportErrors(context, async () => {
    try {
      exported = await context.engine.start(
        "export",
        { format },
        {
          signal: abort.signal,
          onProgress: (progress) => {
            if (isCurrent()) set(context, { exporting: { format, progress } });
          },
        },
      );
    } finally {
      if (isCurrent()) set(context, { exporting: undefined });
    }
  });
  return exported;
}

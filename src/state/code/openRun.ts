/** Runs a program whose accesses become the open trace. Those of a compiled program are imported while it runs. */
import { EngineError } from "../../engine/engine";
import type { TraceView } from "../../engine/generated/TraceView";
import { NOT_LOADED } from "../../model/code/code";
import type { ProgramStep } from "../../model/code/program";
import type { Context } from "../context";
import { set } from "../context";
import { importFile, showImported } from "../import/importFile";
import type { ImportRequest } from "../import/importFile";
import { clear, engineError } from "../notices";
import { reportErrors } from "../reportErrors";
import { screenForLater } from "../screens";
import type { ProgramHooks } from "./programService";

/** What a run leaves: its accesses in the importer's format. */
interface Ran {
  readonly file: () => Blob;
}

interface Failed {
  readonly message: string;
}

export interface OpenRun<R extends Ran> {
  /** What the trace opens as. */
  readonly request: Omit<ImportRequest, "file" | "choices">;
  /** The most accesses of the trace. */
  readonly limit: number;
  /** Ends the run and its import. */
  readonly abort: AbortController;
  /** Resolves with `undefined` if it was aborted. */
  readonly run: (
    hooks: Required<ProgramHooks>,
  ) => Promise<R | Failed | undefined>;
}

/** Resolves with what the run left, or with its problem; with `undefined` if an error was reported already. */
export async function openRun<R extends Ran>(
  context: Context,
  { request, limit, abort, run }: OpenRun<R>,
): Promise<R | Failed | undefined> {
  const { name } = request;
  const { signal } = abort;
  clear(context, "find");
  clear(context, "import");
  context.import?.abort();
  context.import = abort;
  const isCurrent = () => context.import === abort;
  const onStep = (step: ProgramStep) => {
    if (isCurrent() && !signal.aborted)
      set(context, { importing: { name, step } });
  };
  set(context, { showsImport: false });
  onStep({ what: "instrumenting" });
  const showLater = screenForLater(context);
  let reading: Promise<TraceView> | undefined;
  let ran: R | undefined;
  const begin = (file: MessagePort) => {
    const again = () => ran?.file();
    const options = { signal, again };
    reading = context.engine.start("import", { file, name, limit }, options);
    return reading;
  };
  const packing = { begin, onEnd: () => undefined };
  const outcome = await run({ signal, onStep, packing }).catch(() => ({
    message: NOT_LOADED,
  }));
  if (outcome && "file" in outcome) ran = outcome;
  else abort.abort();
  const view = await reading?.catch(engineError);
  if (isCurrent()) set(context, { importing: undefined });
  if (view === undefined) {
    if (!ran || signal.aborted) return outcome;
    const file = ran.file();
    await importFile(context, { ...request, file, choices: { limit } });
    return ran;
  }
  const isFailed = view instanceof EngineError;
  // Without its run, an import ends as cancelled.
  if (isFailed && view.code === "cancelled") return ran ? undefined : outcome;
  const show = () => {
    if (isFailed) throw view;
    return showImported(context, view, request, showLater);
  };
  const around = { before: `${name}: `, kind: "import" } as const;
  await reportErrors(context, async () => show(), around);
  return isFailed ? undefined : outcome;
}

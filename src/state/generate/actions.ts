/** Generated traces: the list of workloads, the check of a form, and the generation. */
import { EngineError } from "../../engine/engine";
import type { Workload } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import type { MachineView } from "../../engine/generated/MachineView";
import type { WorkloadCheck } from "../../engine/generated/WorkloadCheck";
import { count, counted } from "../../model/shared/format";
import type { Context } from "../context";
import { set } from "../context";
import { screenForLater } from "../screens";
import { reportErrors } from "../reportErrors";
import { clear, engineError } from "../notices";
import { followRecording } from "../config/recorded";
import { resetWindow, withWindow } from "../replay/runWindow";
import { beginScene, playScene, showTrace } from "../replay/scene";
import type { Generating } from "../store";
import { IMPORT_LIMIT } from "../import/importFile";
import type { Configuration } from "../config/configurations";

export interface GenerateRequest {
  readonly workload: Workload;
  /** The setup to show it on; missing = the current machine and memory. */
  readonly configuration?: Configuration;
  /** Gets the reason of a failure; returns false if a notice should show it. */
  readonly onRejected?: (why: EngineError) => boolean;
  /** Called when the trace is complete. */
  readonly onDone?: () => void;
}

/** Loads the list of workloads once. */
export function loadWorkloads(context: Context): Promise<void> {
  return reportErrors(context, async () => {
    if (context.store.getState().workloads.length > 0) return;
    set(context, { workloads: await context.engine.call("workloads", {}) });
  });
}

/** The largest number of different 4K pages that a trace can have. */
const MOST_PAGES = 2 ** 24;

/** The errors of the parameters; a trace that is too large for a browser is an error, too. */
export async function checkWorkload(
  context: Context,
  workload: Workload,
): Promise<WorkloadCheck> {
  const check = await context.engine.call("checkWorkload", workload);
  const { accesses, bytes } = check;
  const pages = Math.min(accesses, Math.floor(bytes / 4096));
  const why =
    accesses > IMPORT_LIMIT
      ? `${count(accesses)} are too many for the browser: choose at most ${count(IMPORT_LIMIT)}`
      : pages > MOST_PAGES
        ? `${counted(accesses, "access", "accesses")} may touch ${counted(pages, "page")}, and the browser has room for ${count(MOST_PAGES)}: choose fewer accesses or fewer bytes`
        : undefined;
  if (why === undefined) return check;
  const message = `${why}, or use the command line`;
  const at = { field: "accesses" };
  return { ...check, errors: [{ code: "too-large", message, at }] };
}

/** Generates a trace while the current replay stays open. After a failure, that replay remains. */
export function generateTrace(
  context: Context,
  request: GenerateRequest,
): Promise<void> {
  const { workload } = request;
  clear(context, "find");
  clear(context, "import");
  context.generation?.abort();
  const abort = new AbortController();
  context.generation = abort;
  const generating = { name: workload.id };
  set(context, { generating, showsImport: false });
  const showLater = screenForLater(context);
  const isCurrent = () => context.generation === abort;
  return reportErrors(
    context,
    async () => {
      const view = await made(context, workload, abort.signal, (progress) => {
        if (isCurrent())
          set(context, { generating: { ...generating, progress } });
      })
        .catch((thrown: unknown) => {
          const why = engineError(thrown);
          const isOwn = !isFatal(why) && why.code !== "cancelled";
          if (isOwn && request.onRejected?.(why)) return undefined;
          throw why;
        })
        .finally(() => {
          if (isCurrent()) set(context, { generating: undefined });
        });
      if (!view) return;
      request.onDone?.();
      context.openAt = "opening";
      const signal = beginScene(context);
      showLater({});
      showTrace(context, view, { workload });
      const { configuration } = request;
      const machine = configuration
        ? await changeTo(context, configuration)
        : await resetWindow(context);
      const mapped = await followRecording(
        context,
        view,
        configuration !== undefined,
      );
      await playScene(context, signal, mapped ?? machine);
    },
    { before: `${workload.id}: `, kind: "import" },
  );
}

/** Sets another machine together with another trace; undo restores the previous machine. */
async function changeTo(
  context: Context,
  configuration: Configuration,
): Promise<MachineView> {
  const machine = await context.engine.call("configure", configuration.setup);
  const { configuration: before, past } = context.store.getState();
  // The window belongs to the previous trace, so it is removed.
  const all = before ? [...past, before] : past;
  set(context, {
    configuration,
    past: all.map((each) => withWindow(each, undefined)),
    future: [],
  });
  return machine;
}

async function made(
  context: Context,
  workload: Workload,
  signal: AbortSignal,
  onProgress: (progress: NonNullable<Generating["progress"]>) => void,
) {
  const { errors } = await checkWorkload(context, workload);
  const [first] = errors;
  if (first) throw new EngineError(first.code, first.message, first.at);
  return context.engine.start("generate", workload, { signal, onProgress });
}

/** Opening traces: the shipped ones by their id, files by reading them. */
import type { Context } from "../context";
import { set } from "../context";
import type { EngineError, ImportChoices } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import { screenOf, showScreen } from "../screens";
import { guard } from "../guard";
import { clear, engineError } from "../notices";
import { keep } from "./keptActions";
import { openMeasured } from "../measured/actions";
import { withCores } from "../config/configurations";
import { forgetWindow, withWindow } from "../replay/runWindow";
import { showLinkedCore } from "../replay/linkedCore";
import { beginScene, openScene, playScene } from "../replay/scene";
import type { Screen } from "../../model/permalink/permalink";
import type { BuiltInTrace } from "./traces";

/** At 2 bytes an access, 200 MB: what a browser tab can be expected to hold. */
export const IMPORT_LIMIT = 100_000_000;

export interface ImportRequest {
  readonly file: Blob;
  readonly name: string;
  /** How it is read and what of it is wanted; without a limit, `IMPORT_LIMIT`. */
  readonly choices?: ImportChoices;
  /** Where it is shown, without what was found in the file; missing = where traces of its kind are. */
  readonly screen?: Screen;
  /** Told why the file cannot be read; false if it is to be told in a notice. */
  readonly onRefused?: (why: EngineError) => boolean;
  /** The file is read and is the trace now. */
  readonly onRead?: () => void;
}

export function openBuiltIn(
  context: Context,
  trace: BuiltInTrace,
): Promise<void> {
  clear(context, "find");
  clear(context, "import");
  return guard(context, async () => {
    const { configuration } = context.store.getState();
    if (!configuration) return;
    const whole = withWindow(configuration, undefined);
    await openScene(context, {
      source: { shipped: trace },
      configuration: withCores(whole, trace.cores),
      openAt: trace.at ?? "opening",
    });
    showScreen(context, {});
  });
}

/** Reads a file beside the replay of the current trace; on failure that one stays. */
export async function importFile(
  context: Context,
  request: ImportRequest,
): Promise<void> {
  clear(context, "find");
  clear(context, "import");
  context.import?.abort();
  const abort = new AbortController();
  context.import = abort;
  const limit = request.choices?.limit ?? IMPORT_LIMIT;
  const importing = {
    name: request.name,
    size: request.file.size,
    limit,
    hasSelection: request.choices?.select !== undefined,
  };
  set(context, { importing, showsImport: false });
  const isCurrent = () => context.import === abort;
  await guard(
    context,
    async () => {
      const { file, name, choices } = request;
      const view = await context.engine
        .importFile(file, name, {
          limit: IMPORT_LIMIT,
          ...choices,
          signal: abort.signal,
          onProgress: (progress) => {
            if (isCurrent())
              set(context, { importing: { ...importing, progress } });
          },
        })
        .catch((thrown: unknown) => {
          const why = engineError(thrown);
          if (why.code === "counters" && isCurrent()) {
            request.onRead?.();
            void openMeasured(context, name, file);
            return undefined;
          }
          const isOwn = !isFatal(why) && why.code !== "cancelled";
          if (isOwn && request.onRefused?.(why)) return undefined;
          throw why;
        })
        .finally(() => {
          if (isCurrent()) set(context, { importing: undefined });
        });
      if (!view) return;
      request.onRead?.();
      const wanted = takeWanted(context, name);
      context.openAt = wanted?.access ?? "opening";
      const signal = beginScene(context);
      showScreen(context, {
        screen: request.screen ?? wanted?.screen ?? screenOf(view),
      });
      set(context, {
        trace: view,
        builtIn: undefined,
        workload: undefined,
        hash: undefined,
        showsImport: request.screen === undefined,
        window: wanted?.window ?? { from: 0, to: 0 },
      });
      void keep(context, view);
      const machine = await forgetWindow(context, wanted?.count);
      await playScene(context, signal, machine);
      await showLinkedCore(context, wanted?.core);
    },
    { before: `${request.name}: `, kind: "import" },
  );
}

/** Where a link wanted to open this file; the next import starts as any other. */
function takeWanted(context: Context, name: string) {
  const { wantedFile } = context;
  context.wantedFile = undefined;
  if (wantedFile?.file !== name) return undefined;
  clear(context, "link");
  context.expected = wantedFile.hash;
  return wantedFile;
}

/** Shows the samples one after the other as if nothing had happened between them; a comparison stays one. */
export function replayAsConsecutive(context: Context): void {
  const { trace, screen } = context.store.getState();
  set(context, { asConsecutive: trace });
  if (screen !== "compare") showScreen(context, {});
}

export function cancelImport(context: Context): void {
  context.import?.abort();
}

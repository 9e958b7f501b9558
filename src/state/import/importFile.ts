/** Imports files, and shows what was imported. It loads on use. */
import type { EngineError, ImportChoices } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import type { TraceView } from "../../engine/generated/TraceView";
import type { Build } from "../../model/code/build";
import type { Screen } from "../../model/permalink/permalink";
import { followRecording } from "../config/recorded";
import type { Context } from "../context";
import { set } from "../context";
import { clear, engineError } from "../notices";
import { coreOfLink } from "../replay/coreOfLink";
import { resetWindow } from "../replay/runWindow";
import { beginScene, playScene, showTrace } from "../replay/scene";
import { reportErrors } from "../reportErrors";
import { screenForLater, screenOf } from "../screens";
import { keep } from "./keptActions";

/** At 2 bytes per access this is 200 MB, which a browser tab can hold. */
export const IMPORT_LIMIT = 100_000_000;

export interface ImportRequest {
  readonly file: Blob;
  readonly name: string;
  /** How to read the file and which part to import; without a limit, `IMPORT_LIMIT`. */
  readonly choices?: ImportChoices;
  /** The program that made the file. */
  readonly code?: string;
  /** How that program is compiled; missing for JavaScript. */
  readonly build?: Build | undefined;
  /** Where the file was fetched. */
  readonly address?: string;
  /** The screen to show it on, without the import summary; missing = the usual screen of its kind. */
  readonly screen?: Screen;
  /** Gets the reason of a failure; returns false if a notice should show it. */
  readonly onRejected?: (why: EngineError) => boolean;
  /** The access at which it opens, unless a link waits for the file. */
  readonly openAt?: number;
  /** Called when the file has been read and is the current trace. */
  readonly onRead?: () => void;
}

/** Reads a file while the current replay stays open. After a failure, that replay remains. */
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
  const showLater = screenForLater(context);
  const isCurrent = () => context.import === abort;
  await reportErrors(
    context,
    async () => {
      const { file, name, choices } = request;
      const view = await context.engine
        .start(
          "import",
          { file, name, limit: IMPORT_LIMIT, ...choices },
          {
            signal: abort.signal,
            onProgress: (progress) => {
              if (isCurrent())
                set(context, { importing: { ...importing, progress } });
            },
          },
        )
        .catch((thrown: unknown) => {
          const why = engineError(thrown);
          if (why.code === "counters" && isCurrent()) {
            request.onRead?.();
            void import("../measured/actions").then(({ openMeasured }) =>
              openMeasured(context, name, file),
            );
            return undefined;
          }
          const isOwn = !isFatal(why) && why.code !== "cancelled";
          if (isOwn && request.onRejected?.(why)) return undefined;
          throw why;
        })
        .finally(() => {
          if (isCurrent()) set(context, { importing: undefined });
        });
      if (view) await showImported(context, view, request, showLater);
    },
    { before: `${request.name}: `, kind: "import" },
  );
}

/** Shows a trace that the engine has just imported. A program's trace has no file. */
export async function showImported(
  context: Context,
  view: TraceView,
  request: Omit<ImportRequest, "file"> & Partial<ImportRequest>,
  showLater: ReturnType<typeof screenForLater>,
): Promise<void> {
  request.onRead?.();
  const wanted = takeWanted(context, request.name);
  context.openAt = wanted?.access ?? request.openAt ?? "opening";
  const signal = beginScene(context);
  showLater({
    screen: request.screen ?? wanted?.screen ?? screenOf(view),
  });
  showTrace(context, view, {
    showsImport: request.screen === undefined,
    foldsImport: false,
    ...(request.code !== undefined && {
      code: { trace: view, text: request.code },
    }),
    ...(wanted?.window && { window: wanted.window }),
  });
  const carrying = import("./carry").then(({ carry }) =>
    carry(context, view, request),
  );
  // Without this part, others need the file.
  void keep(
    context,
    view,
    carrying.catch(() => undefined),
  );
  const windowed = await resetWindow(context, wanted?.count);
  const mapped = await followRecording(context, view, wanted?.os !== undefined);
  await playScene(context, signal, mapped ?? windowed);
  await coreOfLink(context, wanted?.core);
}

/** The link's access applies to this file only; the next import opens as usual. */
function takeWanted(context: Context, name: string) {
  const { wantedFile } = context;
  context.wantedFile = undefined;
  if (wantedFile?.file !== name) return undefined;
  clear(context, "link");
  context.expected = wantedFile.hash;
  return wantedFile;
}

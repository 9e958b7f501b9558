/** A file before its import: peeking into it, correcting how it is read, and selecting what to import. */
import type { ImportChoices } from "../../engine/engine";
import { chosen, isClear, taken, TAKE_ALL } from "../../model/import/draft";
import type { Reading, Take } from "../../model/import/draft";
import { isExercise } from "../../model/exercise/file";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { clear, engineError } from "../notices";
import type { ImportDraft } from "../store";
import { describeTrace, isDescribable } from "./describe";
import { importFile } from "./importFile";

export interface ImportSource {
  readonly file: Blob;
  readonly name: string;
}

/**
 * Peeks into a file, which becomes the draft. Counters of perf stat are shown instead, and a memory map is added to the
 * open trace; `onOther` is then called.
 */
export async function lookAt(
  context: Context,
  { file, name }: ImportSource,
  onOther?: () => void,
): Promise<void> {
  clear(context, "import");
  const draft = { file, name, reading: {}, take: TAKE_ALL, isLooking: true };
  set(context, { draft });
  await look(context, draft, onOther);
}

/** Handles dropped files: the page that grades takes all; elsewhere, the first file is an exercise or a trace. */
export async function dropFiles(
  context: Context,
  files: readonly ImportSource[],
): Promise<boolean> {
  const { screen, exercise } = context.store.getState();
  const [first] = files;
  if (!first) return false;
  const { file } = first;
  if (screen === "learn" && exercise?.role === "teacher") {
    const { takeFiles } = await import("../exercise/bound");
    await takeFiles(context, files);
    return false;
  }
  if (isExercise(await file.slice(0, 100_000).text())) {
    const { takeFile } = await import("../exercise/bound");
    await takeFile(context, "student", file);
    return false;
  }
  const { takeProgram } = await import("../code/dropped");
  if (await takeProgram(context, first)) return false;
  return drop(context, first);
}

/**
 * Handles a dropped file: imports it if nothing is open, otherwise makes it the draft. Resolves to true if
 * the user must be asked.
 */
export async function drop(
  context: Context,
  source: ImportSource,
): Promise<boolean> {
  const { file, name } = source;
  context.import?.abort();
  const abort = new AbortController();
  context.import = abort;
  set(context, { importing: { name, size: file.size } });
  await lookAt(context, source);
  if (context.import === abort) set(context, { importing: undefined });
  const { draft } = context.store.getState();
  if (abort.signal.aborted || draft?.file !== file) return false;
  if (!draft.peek || !isClear(draft.peek, file.size)) return true;
  await importDraft(context);
  return false;
}

/** Reads the draft in another way and peeks again. */
export async function readAs(context: Context, part: Reading): Promise<void> {
  const { draft } = context.store.getState();
  if (!draft) return;
  // Another format has another layout.
  const { format = "", list } =
    "format" in part ? part : { ...draft.reading, ...part };
  const reading = { ...(format !== "" && { format }), ...(list && { list }) };
  const next = { ...draft, rejected: undefined, reading, isLooking: true };
  set(context, { draft: next });
  await look(context, next);
}

/** Selects a part of the draft, and peeks again at its first records and their number. */
export async function take(
  context: Context,
  part: Partial<Take>,
): Promise<void> {
  const { draft } = context.store.getState();
  if (!draft) return;
  const wanted = { ...draft.take, ...part };
  const next = { ...draft, rejected: undefined, take: wanted };
  const isOther = CHOSEN_BY.some((field) => field in part);
  set(context, { draft: { ...next, isLooking: isOther || next.isLooking } });
  if (isOther) await look(context, next);
}

/** Imports the selected part of the draft; the draft stays for other choices. */
export async function importDraft(
  context: Context,
  onRead?: () => void,
): Promise<void> {
  const { draft } = context.store.getState();
  if (!draft) return;
  const wanted = taken(draft.take);
  if ("problems" in wanted) return;
  set(context, { draft: { ...draft, rejected: undefined } });
  const choices: ImportChoices = { ...draft.reading, ...wanted };
  await importFile(context, {
    file: draft.file,
    name: draft.name,
    choices,
    ...(onRead && { onRead }),
    onRejected: ({ message, at }) => {
      const now = context.store.getState().draft;
      if (!onRead || now?.file !== draft.file) return false;
      set(context, { draft: { ...now, rejected: placed(message, at) } });
      return true;
    },
  });
}

/** The choices that affect the shown records. A window is none: it rarely contains the file's beginning. */
const CHOSEN_BY = ["pids", "tids", "events", "modes"] as const;

async function look(
  context: Context,
  draft: ImportDraft,
  onOther?: () => void,
): Promise<void> {
  const isCurrent = () => {
    const now = context.store.getState().draft;
    return (
      now?.file === draft.file &&
      now.reading === draft.reading &&
      CHOSEN_BY.every((field) => now.take[field] === draft.take[field])
    );
  };
  await reportErrors(
    context,
    async () => {
      const { file, name, reading } = draft;
      const peek = await context.engine
        .call("peek", {
          file,
          request: { name, ...reading, ...chosen(draft.take) },
        })
        .catch((thrown: unknown) => {
          if (isCurrent()) set(context, { draft: undefined });
          throw engineError(thrown);
        });
      if (peek.problem?.code === "counters" && isCurrent()) {
        set(context, { draft: undefined });
        onOther?.();
        const { openMeasured } = await import("../measured/actions");
        await openMeasured(context, name, file);
      }
      if (
        peek.problem?.code === "memory-map" &&
        isCurrent() &&
        isDescribable(context.store.getState())
      ) {
        set(context, { draft: undefined });
        onOther?.();
        await describeTrace(context, draft);
      }
      const now = context.store.getState().draft;
      if (now && isCurrent())
        set(context, { draft: { ...now, peek, isLooking: false } });
    },
    { before: `${draft.name}: `, kind: "import" },
  );
}

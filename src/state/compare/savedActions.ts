/** Saved runs: saving one, listing them, opening them again. */
import { encodePermalink } from "../../model/permalink/permalink";
import {
  isSamePart,
  SAVED_VERSION,
  savedFilled,
  savedReport,
} from "../../model/compare/savedRun";
import type { SavedRun } from "../../model/compare/savedRun";
import { sideOf } from "../../model/compare/sides";
import { VERSION } from "../../model/shared/version";
import type { Context } from "../context";
import { set, stopIfAborted } from "../context";
import { reportErrors } from "../reportErrors";
import { keepError, whyFailed, whyNot } from "../import/keptActions";
import { clear, engineError, sentence, notify, notifyError } from "../notices";
import { withWindow } from "../replay/runWindow";
import type { SavedState } from "./savedRuns";
import { openScene } from "../replay/scene";
import type { TraceSource } from "../replay/scene";
import { screenForLater } from "../screens";
import { runToSave } from "./runToSave";
import { traceLink } from "../selectors";
import { configure } from "../config/setup";
import type { AppState } from "../store";
import { findTrace } from "../import/traceSource";
import type { Configuration } from "../config/configurations";

/** The name and the note of a run. */
export type RunWords = Pick<SavedRun, "name" | "note">;

/** Saves the run on the screen. Resolves with the reason if that fails. */
export async function saveRun(
  context: Context,
  { name, note }: RunWords,
): Promise<string | undefined> {
  const state = context.store.getState();
  const { trace } = state;
  const run = runToSave(state);
  if (!run || !trace) return "There is no run on the screen.";
  let why: string | undefined;
  await reportErrors(context, async () => {
    const { hash } =
      state.hash === undefined
        ? await context.engine.start("save", {}).catch((thrown: unknown) => {
            why = sentence(engineError(thrown).message);
            throw thrown;
          })
        : { hash: state.hash };
    if (context.store.getState().trace !== trace) {
      why = "Another trace was opened meanwhile.";
      return;
    }
    const link = traceLink(state);
    const date = context.clock.date();
    why = await keep(context, () =>
      context.savedRuns.put([
        {
          version: SAVED_VERSION,
          program: VERSION,
          ...run.configuration,
          id: newId(date),
          name,
          note,
          date,
          trace: {
            name: trace.name,
            hash,
            link: link.file === undefined ? link : { ...link, hash },
          },
          report: savedReport(run.report),
        },
      ]),
    );
  });
  if (why === undefined)
    notify(context, {
      tone: "note",
      kind: "saved",
      text: `“${name}” is saved. Find it under Compare, Saved runs.`,
    });
  return why;
}

/** Returns a new id. Ids rise with time, and differ between tabs. */
function newId(date: number): string {
  const salt = Math.floor(Math.random() * 36 ** 4);
  return `${date.toString(36)}${salt.toString(36).padStart(4, "0")}`;
}

/** Reads the list of saved runs. If the browser cannot save any, the list is empty and has a reason. */
export async function loadRuns(context: Context): Promise<void> {
  try {
    const runs = (await context.savedRuns.list()).map(savedFilled);
    put(context, { runs, problem: undefined });
  } catch (thrown) {
    const why = whyNot(keepError(thrown));
    put(context, { runs: [], problem: `No runs can be saved: ${why}` });
  }
}

export async function renameRun(
  context: Context,
  id: string,
  words: RunWords,
): Promise<string | undefined> {
  const { name, note } = words;
  let gone: string | undefined;
  const why = await keep(context, async () => {
    const isThere = await context.savedRuns.change(id, { name, note });
    if (!isThere) gone = "This run is not saved any more.";
  });
  return why ?? gone;
}

/** Deletes runs. They can be restored until others are deleted. Resolves to false if deleting fails. */
export async function deleteRuns(
  context: Context,
  ids: readonly string[],
): Promise<boolean> {
  const { runs = [] } = context.store.getState().saved;
  const deleted = runs.filter(({ id }) => ids.includes(id));
  const why = await keep(context, () => context.savedRuns.remove(ids));
  if (why === undefined) put(context, { deleted });
  else notifyReason(context, `The runs could not be deleted: ${why}`);
  return why === undefined;
}

export async function putBackRuns(context: Context): Promise<void> {
  const { deleted } = context.store.getState().saved;
  const why = await keep(context, () => context.savedRuns.put(deleted));
  if (why === undefined) put(context, { deleted: [] });
  else notifyReason(context, `The runs could not be restored: ${why}`);
}

/** Shows a run in the replay: its machine, and its trace if it can be opened. */
export function openRun(context: Context, id: string): Promise<void> {
  const run = runOf(context, id);
  if (!run) return Promise.resolve();
  const showLater = screenForLater(context);
  return reportErrors(
    context,
    async () => {
      const found = await traceOf(context, run);
      if ("missing" in found) await showElsewhere(context, run, found.missing);
      else await show(context, run, found);
      showLater({});
    },
    { before: `“${run.name}” cannot be opened: `, kind: "setup" },
  );
}

/** Compares two runs of one trace, the first on the left. */
export function compareRuns(
  context: Context,
  left: string,
  right: string,
): Promise<void> {
  const [a, b] = [runOf(context, left), runOf(context, right)];
  if (!a || !b) return Promise.resolve();
  const showLater = screenForLater(context);
  return reportErrors(
    context,
    async () => {
      const found = await traceOf(context, a);
      if ("missing" in found) {
        notifyReason(
          context,
          `${isMissing(a, found.missing)} They cannot be compared.`,
        );
        return;
      }
      if (!(await show(context, a, found))) return;
      const { cpus } = context.store.getState();
      showLater({ screen: "compare", right: sideOf(cpus, b) });
      if (!isSamePart(a, b))
        notify(context, {
          tone: "note",
          kind: "saved",
          text: `“${b.name}” counted another part of the trace, or had other cores: both sides use those of “${a.name}” here.`,
        });
    },
    { before: `“${a.name}” cannot be opened: `, kind: "setup" },
  );
}

/** The run's trace, which may be open already, and a signal that a newer request replaced this one. */
type Found =
  | { readonly missing: string }
  | { readonly source: TraceSource | "open"; readonly wanted: AbortSignal };

/** Finds the trace of a run. Opening something else aborts this. */
async function traceOf(context: Context, run: SavedRun): Promise<Found> {
  clear(context, "saved");
  context.opening?.abort();
  const opening = new AbortController();
  context.opening = opening;
  const wanted = opening.signal;
  if (isOpen(context.store.getState(), run)) return { source: "open", wanted };
  const source = await findTrace(context, run.trace.link);
  stopIfAborted(wanted);
  if (!("missing" in source)) return { source, wanted };
  const { file } = run.trace.link;
  const goOn = file === undefined ? "" : ` Import “${file}” again to see it.`;
  return { missing: `${source.missing}${goOn}` };
}

/** Resolves to false if the engine rejected the run's machine. */
async function show(
  context: Context,
  { cpu, setup }: SavedRun,
  { source, wanted }: Exclude<Found, { readonly missing: string }>,
): Promise<boolean> {
  const configuration = { cpu, setup };
  if (source === "open") return becomes(context, configuration);
  const opening = { source, configuration, openAt: "opening" } as const;
  await openScene(
    context,
    { ...opening, isUndoable: true, isMapped: true },
    wanted,
  );
  return true;
}

/** Shows the machine of a run on the open trace, since the run's own trace is missing. */
async function showElsewhere(
  context: Context,
  run: SavedRun,
  missing: string,
): Promise<void> {
  const { cpu, setup } = run;
  await becomes(context, withWindow({ cpu, setup }, undefined));
  const now = context.store.getState().trace?.name ?? "";
  notify(context, {
    tone: "note",
    kind: "saved",
    text: `${isMissing(run, missing)} Its machine is shown on “${now}”.`,
  });
}

function isMissing({ trace }: SavedRun, why: string): string {
  return `The trace “${trace.name}” of this run is missing: ${why}`;
}

/** Makes a configuration the current one. Resolves to false if the engine rejected it. */
async function becomes(
  context: Context,
  configuration: Configuration,
): Promise<boolean> {
  const rejected = await configure(context, configuration);
  if (rejected) notifyError(context, rejected, { kind: "setup" });
  return !rejected;
}

function isOpen(state: AppState, { trace }: SavedRun): boolean {
  if (state.hash !== undefined) return state.hash === trace.hash;
  const now = traceLink(state);
  if (now.file !== undefined) return false;
  return encodePermalink(now) === encodePermalink(trace.link);
}

function runOf(context: Context, id: string): SavedRun | undefined {
  const { runs = [] } = context.store.getState().saved;
  return runs.find((run) => run.id === id);
}

/** Changes the saved runs and shows the new list. Resolves with the reason if that fails. */
async function keep(
  context: Context,
  work: () => Promise<void>,
): Promise<string | undefined> {
  const why = await whyFailed(work);
  await loadRuns(context);
  return why;
}

function notifyReason(context: Context, text: string): void {
  notify(context, { tone: "error", kind: "saved", text });
}

function put(context: Context, part: Partial<SavedState>): void {
  set(context, { saved: { ...context.store.getState().saved, ...part } });
}

/** Runs that the user saved: saving one, the list of them, opening them again. */
import { encodePermalink } from "../../model/permalink/permalink";
import {
  isSamePart,
  SAVED_VERSION,
  savedFilled,
  savedReport,
} from "../../model/compare/savedRun";
import type { SavedRun } from "../../model/compare/savedRun";
import { sideOf } from "../../model/compare/sides";
import type { Context } from "../context";
import { set, stopIfAborted } from "../context";
import { guard } from "../guard";
import { keepError, whyNot } from "../import/keptActions";
import { clear, engineError, sentence, tell, tellError } from "../notices";
import { withWindow } from "../replay/runWindow";
import type { SavedState } from "./savedRuns";
import { openScene } from "../replay/scene";
import type { TraceSource } from "../replay/scene";
import { showScreen } from "../screens";
import { runToSave } from "./runToSave";
import { traceLink } from "../selectors";
import { configure } from "../config/setup";
import type { AppState } from "../store";
import { findTrace } from "../import/traceSource";
import type { Configuration } from "../config/configurations";

/** What the user says of a run. */
export type RunWords = Pick<SavedRun, "name" | "note">;

/** Saves the run that is on the screen. Resolves with why it could not be, if so. */
export async function saveRun(
  context: Context,
  { name, note }: RunWords,
): Promise<string | undefined> {
  const state = context.store.getState();
  const { trace } = state;
  const run = runToSave(state);
  if (!run || !trace) return "There is no run on the screen.";
  let why: string | undefined;
  await guard(context, async () => {
    const { hash } =
      state.hash === undefined
        ? await context.engine.saveTrace().catch((thrown: unknown) => {
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
    tell(context, {
      tone: "note",
      kind: "saved",
      text: `“${name}” is saved: it stands under Compare, Saved runs.`,
    });
  return why;
}

/** Rises with time, and differs in two tabs. */
function newId(date: number): string {
  const salt = Math.floor(Math.random() * 36 ** 4);
  return `${date.toString(36)}${salt.toString(36).padStart(4, "0")}`;
}

/** Asks for the list of what is saved; where nothing can be, it is empty, with why. */
export async function loadRuns(context: Context): Promise<void> {
  try {
    const runs = (await context.savedRuns.list()).map(savedFilled);
    put(context, { runs, problem: undefined });
  } catch (thrown) {
    const why = whyNot(keepError(thrown));
    put(context, { runs: [], problem: `No run is saved: ${why}` });
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
    if (!isThere) gone = "It is not saved any more.";
  });
  return why ?? gone;
}

/** Deletes runs; until others are deleted, they can be put back. False if they could not be deleted. */
export async function deleteRuns(
  context: Context,
  ids: readonly string[],
): Promise<boolean> {
  const { runs = [] } = context.store.getState().saved;
  const deleted = runs.filter(({ id }) => ids.includes(id));
  const why = await keep(context, () => context.savedRuns.remove(ids));
  if (why === undefined) put(context, { deleted });
  else tellWhy(context, `They could not be deleted: ${why}`);
  return why === undefined;
}

export async function putBackRuns(context: Context): Promise<void> {
  const { deleted } = context.store.getState().saved;
  const why = await keep(context, () => context.savedRuns.put(deleted));
  if (why === undefined) put(context, { deleted: [] });
  else tellWhy(context, `They could not be put back: ${why}`);
}

/** Shows a run in the replay: its machine, and its trace where that can be had. */
export function openRun(context: Context, id: string): Promise<void> {
  const run = runOf(context, id);
  if (!run) return Promise.resolve();
  return guard(
    context,
    async () => {
      const found = await traceOf(context, run);
      if ("missing" in found) await showElsewhere(context, run, found.missing);
      else await show(context, run, found);
      showScreen(context, {});
    },
    { before: `“${run.name}” cannot be opened: `, kind: "setup" },
  );
}

/** Sets two runs of one trace side by side, the first at the left. */
export function compareRuns(
  context: Context,
  left: string,
  right: string,
): Promise<void> {
  const [a, b] = [runOf(context, left), runOf(context, right)];
  if (!a || !b) return Promise.resolve();
  return guard(
    context,
    async () => {
      const found = await traceOf(context, a);
      if ("missing" in found) {
        tellWhy(context, `${isMissing(a, found.missing)} Nothing is compared.`);
        return;
      }
      if (!(await show(context, a, found))) return;
      const { cpus } = context.store.getState();
      showScreen(context, { screen: "compare", right: sideOf(cpus, b) });
      if (!isSamePart(a, b))
        tell(context, {
          tone: "note",
          kind: "saved",
          text: `“${b.name}” was of another part of the trace, or had other cores: both are those of “${a.name}” here.`,
        });
    },
    { before: `“${a.name}” cannot be opened: `, kind: "setup" },
  );
}

/** The trace of a run, which may be open, and what tells that nothing newer was asked for meanwhile. */
type Found =
  | { readonly missing: string }
  | { readonly source: TraceSource | "open"; readonly wanted: AbortSignal };

/** Looks for the trace of a run. What is opened meanwhile makes an end of it. */
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

/** False if the machine of the run was refused. */
async function show(
  context: Context,
  { cpu, setup }: SavedRun,
  { source, wanted }: Exclude<Found, { readonly missing: string }>,
): Promise<boolean> {
  const configuration = { cpu, setup };
  if (source === "open") return becomes(context, configuration);
  const opening = { source, configuration, openAt: "opening" } as const;
  await openScene(context, { ...opening, isUndoable: true }, wanted);
  return true;
}

/** The machine of a run whose trace cannot be had, on the trace that is open. */
async function showElsewhere(
  context: Context,
  run: SavedRun,
  missing: string,
): Promise<void> {
  const { cpu, setup } = run;
  await becomes(context, withWindow({ cpu, setup }, undefined));
  const now = context.store.getState().trace?.name ?? "";
  tell(context, {
    tone: "note",
    kind: "saved",
    text: `${isMissing(run, missing)} Its machine is shown on “${now}”.`,
  });
}

function isMissing({ trace }: SavedRun, why: string): string {
  return `The trace “${trace.name}” of this run is missing: ${why}`;
}

/** False if it was refused. */
async function becomes(
  context: Context,
  configuration: Configuration,
): Promise<boolean> {
  const refused = await configure(context, configuration);
  if (refused) tellError(context, refused, { kind: "setup" });
  return !refused;
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

/** Changes what is saved, and shows what is there then. Resolves with why it could not be, if so. */
async function keep(
  context: Context,
  work: () => Promise<void>,
): Promise<string | undefined> {
  let why: string | undefined;
  try {
    await work();
  } catch (thrown) {
    why = whyNot(keepError(thrown));
  }
  await loadRuns(context);
  return why;
}

function tellWhy(context: Context, text: string): void {
  tell(context, { tone: "error", kind: "saved", text });
}

function put(context: Context, part: Partial<SavedState>): void {
  set(context, { saved: { ...context.store.getState().saved, ...part } });
}

/** Runs that the user saved: saving one, the list of them, opening them again. */
import { encodePermalink } from "../model/permalink";
import { same } from "../model/permalinkPatch";
import { savedReport } from "../model/savedRun";
import type { SavedRun, TraceLink } from "../model/savedRun";
import { sideOf } from "../model/sides";
import type { Context } from "./context";
import { set } from "./context";
import { checkWorkload } from "./generateActions";
import { guard } from "./guard";
import { find, keepError, whyNot } from "./keptActions";
import { clear, tell, tellError } from "./notices";
import { withWindow } from "./runWindow";
import type { SavedState } from "./savedRuns";
import { openScene } from "./scene";
import type { TraceSource } from "./scene";
import { showScreen } from "./screens";
import { runToSave } from "./runToSave";
import { traceLink } from "./selectors";
import { configure } from "./setupActions";
import type { AppState, Configuration } from "./store";
import { builtInTrace } from "./traces";

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
  // What is not reached is why: another trace, or a crash that is told already.
  let why = "Another trace was opened meanwhile." as string | undefined;
  await guard(context, async () => {
    const hash = state.hash ?? (await context.engine.saveTrace()).hash;
    if (context.store.getState().trace !== trace) return;
    const link = traceLink(state);
    const date = context.clock.date();
    why = await change(context, () =>
      context.savedRuns.put([
        {
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
    const runs = await context.savedRuns.list();
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
  const run = runOf(context, id);
  if (!run) return "It is not saved any more.";
  return change(context, () => context.savedRuns.put([{ ...run, ...words }]));
}

/** Deletes runs; until others are deleted, they can be put back. */
export async function deleteRuns(
  context: Context,
  ids: readonly string[],
): Promise<void> {
  const { runs = [] } = context.store.getState().saved;
  const deleted = runs.filter(({ id }) => ids.includes(id));
  const why = await change(context, () => context.savedRuns.remove(ids));
  if (why === undefined) put(context, { deleted });
  else tellWhy(context, `They could not be deleted: ${why}`);
}

export async function putBackRuns(context: Context): Promise<void> {
  const { deleted } = context.store.getState().saved;
  const why = await change(context, () => context.savedRuns.put(deleted));
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
      await show(context, run);
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
      if (!(await show(context, a))) return;
      const { cpus } = context.store.getState();
      showScreen(context, { screen: "compare", right: sideOf(cpus, b) });
      const isAlike =
        same(a.setup.window, b.setup.window) &&
        (a.setup.cores ?? "one") === (b.setup.cores ?? "one");
      if (!isAlike)
        tell(context, {
          tone: "note",
          kind: "saved",
          text: `“${b.name}” was of another part of the trace, or had other cores: both are those of “${a.name}” here.`,
        });
    },
    { before: `“${a.name}” cannot be opened: `, kind: "setup" },
  );
}

/** True if the trace is that of the run now; else its machine is shown on the trace that is open, and why is told. */
async function show(context: Context, run: SavedRun): Promise<boolean> {
  clear(context, "saved");
  const { cpu, setup, trace } = run;
  const configuration = { cpu, setup };
  if (isOpen(context.store.getState(), run)) {
    await becomes(context, configuration);
    return true;
  }
  const source = await sourceOf(context, trace.link);
  if (!("missing" in source)) {
    await openScene(context, { source, configuration, openAt: "opening" });
    return true;
  }
  await becomes(context, withWindow(configuration, undefined));
  const now = context.store.getState().trace?.name ?? "";
  tell(context, {
    tone: "note",
    kind: "saved",
    text: `The trace “${trace.name}” of this run is missing: ${source.missing} Its machine is shown on “${now}”.`,
  });
  return false;
}

async function becomes(
  context: Context,
  configuration: Configuration,
): Promise<void> {
  const refused = await configure(context, configuration);
  if (refused) tellError(context, refused, { kind: "setup" });
}

function isOpen(state: AppState, { trace }: SavedRun): boolean {
  if (state.hash !== undefined) return state.hash === trace.hash;
  const now = traceLink(state);
  if (now.file !== undefined) return false;
  return encodePermalink(now) === encodePermalink(trace.link);
}

/** Where the trace comes from, or why it cannot be had, as a sentence. */
async function sourceOf(
  context: Context,
  { trace, workload, file, hash }: TraceLink,
): Promise<TraceSource | { readonly missing: string }> {
  if (workload) {
    const { errors } = await checkWorkload(context, workload);
    const [first] = errors;
    return first ? { missing: first.message } : { workload };
  }
  if (trace !== undefined) {
    const shipped = builtInTrace(trace);
    return shipped ? { shipped } : { missing: "it ships no more." };
  }
  const kept = await find(context, hash ?? "");
  if (!("missing" in kept)) return { kept };
  return { missing: `${kept.missing} Import “${file ?? ""}” again to see it.` };
}

function runOf(context: Context, id: string): SavedRun | undefined {
  const { runs = [] } = context.store.getState().saved;
  return runs.find((run) => run.id === id);
}

/** Changes what is saved, and shows what is there then. Resolves with why it could not be, if so. */
async function change(
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

/** Counters of a real machine: reading what perf stat printed, and setting it beside the run. */
import type { EventFamily } from "../engine/generated/EventFamily";
import { isFatal } from "../engine/errors";
import type { Context } from "./context";
import { set } from "./context";
import { guard } from "./guard";
import { engineError, placed } from "./notices";
import type { AppState, MeasuredState } from "./store";

/** As much as the core reads; one byte more lets it say that there is too much. */
const MOST_BYTES = (32 << 20) + 1;

/** Shows the screen, with what was read before the page was loaded again. */
export function showMeasured(context: Context): void {
  set(context, { screen: "measured", experiment: undefined, playing: false });
  if (!context.store.getState().measured) {
    const kept = context.keptStat.get();
    if (kept)
      set(context, { measured: { ...kept, family: kept.family, ...NOTHING } });
  }
  void loadFamilies(context);
}

const NOTHING = { view: undefined, problem: undefined } as const;

function loadFamilies(context: Context): Promise<void> {
  return guard(context, async () => {
    if (context.store.getState().eventFamilies.length > 0) return;
    set(context, { eventFamilies: await context.engine.eventFamilies() });
  });
}

/** Reads what perf stat printed, from a file or pasted, and shows what it says. */
export async function openMeasured(
  context: Context,
  name: string,
  from: Blob | string,
): Promise<void> {
  showMeasured(context);
  const text = typeof from === "string" ? from : await textOf(from);
  if (text === undefined) {
    put(context, {
      name,
      text: "",
      family: undefined,
      view: undefined,
      problem:
        "It is no text: give what perf stat printed, unpacked; of perf stat record, what perf stat report prints.",
    });
    return;
  }
  put(context, { name, text, family: undefined, ...NOTHING });
  await measure(context);
}

/** `undefined` if it is no text or cannot be read. */
async function textOf(file: Blob): Promise<string | undefined> {
  try {
    const text = await file.slice(0, MOST_BYTES).text();
    return text.includes("\0") || text.startsWith("\x1f") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Reads the events as those of another family; `undefined` = as the events or the machine show. */
export async function chooseFamily(
  context: Context,
  family: EventFamily | undefined,
): Promise<void> {
  const { measured } = context.store.getState();
  if (!measured) return;
  put(context, { ...measured, family });
  await measure(context);
}

export function forgetMeasured(context: Context): void {
  put(context, undefined);
}

/** Tells what the counters mean, beside the run that is open; what was told before stays until then. */
export function measure(context: Context): Promise<void> {
  return guard(context, async () => {
    const before = context.store.getState();
    const { measured } = before;
    if (!measured || measured.text === "") return;
    const isCurrent = () => isSame(before, context.store.getState());
    try {
      const view = await context.engine.measure(measured.text, beside(before));
      if (isCurrent())
        set(context, { measured: { ...measured, view, problem: undefined } });
    } catch (thrown) {
      const error = engineError(thrown);
      if (isFatal(error)) throw error;
      const problem = placed(error.message, error.at);
      if (isCurrent())
        set(context, { measured: { ...measured, view: undefined, problem } });
    }
  });
}

/** What the counters are read with; a run of another configuration is not set beside them. */
function beside({ measured, report, stale, configuration }: AppState) {
  return {
    ...(measured?.family && { family: measured.family }),
    ...(configuration && { cpu: configuration.cpu }),
    ...(report && !stale && { run: report }),
  };
}

function isSame(one: AppState, other: AppState): boolean {
  return (
    one.measured?.text === other.measured?.text &&
    one.measured?.family === other.measured?.family &&
    one.report === other.report &&
    one.stale === other.stale &&
    one.configuration === other.configuration
  );
}

function put(context: Context, measured: MeasuredState | undefined): void {
  set(context, { measured });
  const { keptStat } = context;
  if (!measured || measured.text === "") keptStat.put(undefined);
  else {
    const { name, text, family } = measured;
    keptStat.put({ name, text, family });
  }
}

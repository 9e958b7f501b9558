/** Counters of a real machine: reading what perf stat printed, and setting it beside the run. */
import type { EventFamily } from "../../engine/generated/EventFamily";
import { isFatal } from "../../engine/errors";
import { LINK_MOST } from "../../model/loop/loop";
import type { Permalink } from "../../model/permalink/permalink";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { guard } from "../guard";
import { engineError, tell } from "../notices";
import type { AppState, MeasuredState } from "../store";

/** As much as the core reads; one byte more lets it say that there is too much. */
const MOST_BYTES = (32 << 20) + 1;

/** Longer texts are not packed at all: none packs that well. */
const MOST_PACKED = 40;

/** Shows the screen, with the counters of a link, or those that were read before the page was loaded again. */
export function showMeasured(
  context: Context,
  link: Pick<Permalink, "stat" | "statName" | "family"> = {},
): void {
  set(context, { screen: "measured", experiment: undefined, playing: false });
  const { measured } = context.store.getState();
  const { stat, statName = "counters of a link", family } = link;
  const isThere = measured?.packed === stat && measured?.family === family;
  if (stat !== undefined && !isThere)
    void openPacked(context, stat, { name: statName, family });
  else if (!measured) {
    const kept = context.keptStat.get();
    if (kept) put(context, { ...kept, family: kept.family, ...NOTHING });
  }
  void loadFamilies(context);
}

const NOTHING = {
  view: undefined,
  problem: undefined,
  packed: undefined,
  isTooLong: false,
  isLinked: false,
} as const;

/** The counters of a link; the screen reads them. */
async function openPacked(
  context: Context,
  stat: string,
  about: Pick<MeasuredState, "name" | "family">,
): Promise<void> {
  const unpacking = {};
  context.unpacking = unpacking;
  const isCurrent = () => context.unpacking === unpacking;
  try {
    const text = await context.loops.unpack(stat, MOST_BYTES);
    if (!isCurrent()) return;
    // What was read here before a reload is the user's own, though the address has it, too.
    const kept = context.keptStat.get();
    const isLinked = kept?.text !== text;
    // After a reload the address may be a moment older than what was chosen last, or taken back.
    const isReload = !isLinked && !context.store.getState().measured;
    const family = isReload ? kept.family : about.family;
    put(context, { ...about, family, text, ...NOTHING, isLinked });
  } catch {
    if (!isCurrent()) return;
    tell(context, {
      tone: "note",
      kind: "link",
      text: "The counters of the link cannot be read; was the link cut short?",
    });
  }
}

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
  context.unpacking = undefined;
  showMeasured(context);
  const text = typeof from === "string" ? from : await textOf(from);
  if (text === undefined) {
    put(context, {
      name,
      text: "",
      family: undefined,
      ...NOTHING,
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
  context.unpacking = undefined;
  if (context.store.getState().measured?.isLinked)
    set(context, { measured: undefined });
  else put(context, undefined);
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
      if (isCurrent()) tellMeasured(context, { view, problem: undefined });
    } catch (thrown) {
      const error = engineError(thrown);
      if (isFatal(error)) throw error;
      const problem = placed(error.message, error.at);
      if (isCurrent()) tellMeasured(context, { view: undefined, problem });
    }
  });
}

function tellMeasured(
  context: Context,
  part: Pick<MeasuredState, "view" | "problem">,
): void {
  const { measured } = context.store.getState();
  if (measured) set(context, { measured: { ...measured, ...part } });
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
    const { name, text, family, packed, isLinked } = measured;
    if (!isLinked) keptStat.put({ name, text, family });
    if (packed === undefined) void pack(context, text);
  }
}

/** Makes the text ready for a link. */
async function pack(context: Context, text: string): Promise<void> {
  const isLong = text.length > LINK_MOST * MOST_PACKED;
  const word = isLong ? "" : await context.loops.pack(text);
  const { measured } = context.store.getState();
  if (measured?.text !== text) return;
  const fits = !isLong && word.length <= LINK_MOST;
  set(context, {
    measured: {
      ...measured,
      packed: fits ? word : undefined,
      isTooLong: !fits,
    },
  });
}

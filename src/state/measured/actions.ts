/** Counters of a real machine: reading the output of perf stat, and comparing it with the run. */
import type { EventFamily } from "../../engine/generated/EventFamily";
import { isFatal } from "../../engine/errors";
import { MAX_LINK } from "../../model/code/code";
import type { Permalink } from "../../model/permalink/permalink";
import { placed } from "../../model/shared/place";
import type { Context } from "../context";
import { set } from "../context";
import { reportErrors } from "../reportErrors";
import { engineError, notify } from "../notices";
import type { AppState, MeasuredState } from "../store";

/** The core's limit, plus one byte so that the core can report an excess. */
const MOST_BYTES = (32 << 20) + 1;

/** Longer texts are not compressed at all, since none would fit a link. */
const MOST_PACKED = 40;

/** Shows the screen, with the counters of a link, or those from before a reload. */
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
    else void openStatExample(context);
  }
}

const NOTHING = {
  view: undefined,
  problem: undefined,
  packed: undefined,
  isTooLong: false,
  isLinked: false,
  example: undefined,
} as const;

const examples = () =>
  import("../../model/measured/examples").then(
    ({ STAT_EXAMPLES }) => STAT_EXAMPLES,
  );

/** Shows an example; without an id, the first one unless there are counters. The user's own stay stored. */
export function openStatExample(context: Context, id?: string): Promise<void> {
  return reportErrors(context, async () => {
    const all = await examples();
    const { measured, screen } = context.store.getState();
    const isLate = measured ?? context.unpacking;
    if (id === undefined && (isLate || screen !== "measured")) return;
    context.unpacking = undefined;
    const found = all.find((each) => each.id === id);
    const { title: name, text, id: example } = found ?? all[0];
    put(context, { name, text, family: undefined, ...NOTHING, example });
    await measure(context);
  });
}

/** Counters of a link, which the screen reads. */
async function openPacked(
  context: Context,
  stat: string,
  about: Pick<MeasuredState, "name" | "family">,
): Promise<void> {
  const unpacking = {};
  context.unpacking = unpacking;
  const isCurrent = () => context.unpacking === unpacking;
  try {
    const text = await context.codeService.unpack(stat, MOST_BYTES);
    if (!isCurrent()) return;
    // Counters read before a reload are the user's own, although the address has them, too.
    const kept = context.keptStat.get();
    const isLinked = kept?.text !== text;
    // After a reload, the address may lack the latest choice.
    const isReload = !isLinked && !context.store.getState().measured;
    const family = isReload ? kept.family : about.family;
    const found = (await examples()).find((each) => each.text === text);
    if (!isCurrent()) return;
    put(context, {
      ...about,
      family,
      text,
      ...NOTHING,
      isLinked,
      example: found?.id,
    });
  } catch {
    if (!isCurrent()) return;
    notify(context, {
      tone: "note",
      kind: "link",
      text: "The counters of the link cannot be read: was the link cut short?",
    });
    context.unpacking = undefined;
    void openStatExample(context);
  }
}

/** Reads the output of perf stat, from a file or pasted, and shows the result. */
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
        "This is no text. Use the uncompressed output of perf stat; a file of perf stat record needs perf stat report first.",
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

/** Reads the events as those of another family; `undefined` = chosen automatically. */
export async function chooseFamily(
  context: Context,
  family: EventFamily | undefined,
): Promise<void> {
  const { measured } = context.store.getState();
  if (!measured) return;
  put(context, { ...measured, family });
  await measure(context);
}

export function clearMeasured(context: Context): void {
  context.unpacking = undefined;
  if (context.store.getState().measured?.isLinked)
    set(context, { measured: undefined });
  else put(context, undefined);
  void openStatExample(context);
}

/** Interprets the counters and compares them with the open run; the previous result stays until then. */
export function measure(context: Context): Promise<void> {
  return reportErrors(context, async () => {
    const before = context.store.getState();
    const { measured } = before;
    if (!measured || measured.text === "") return;
    const isCurrent = () => isSame(before, context.store.getState());
    try {
      const view = await context.engine.call("measure", {
        text: measured.text,
        ...inputsOf(before),
      });
      if (isCurrent()) interpretCounters(context, { view, problem: undefined });
    } catch (thrown) {
      const error = engineError(thrown);
      if (isFatal(error)) throw error;
      const problem = placed(error.message, error.at);
      if (isCurrent()) interpretCounters(context, { view: undefined, problem });
    }
  });
}

function interpretCounters(
  context: Context,
  part: Pick<MeasuredState, "view" | "problem">,
): void {
  const { measured } = context.store.getState();
  if (measured) set(context, { measured: { ...measured, ...part } });
}

/** The inputs of the interpretation; a run of another configuration is not compared. */
function inputsOf({ measured, report, stale, configuration }: AppState) {
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

export function put(
  context: Context,
  measured: MeasuredState | undefined,
): void {
  set(context, { measured });
  const { keptStat } = context;
  if (!measured || measured.text === "") keptStat.put(undefined);
  else {
    const { name, text, family, packed, isLinked, example } = measured;
    if (!isLinked && example === undefined)
      keptStat.put({ name, text, family });
    if (packed === undefined) void pack(context, text);
  }
}

/** Compresses the text for a link. */
async function pack(context: Context, text: string): Promise<void> {
  const isLong = text.length > MAX_LINK * MOST_PACKED;
  const word = isLong ? "" : await context.codeService.pack(text);
  const { measured } = context.store.getState();
  if (measured?.text !== text) return;
  const fits = !isLong && word.length <= MAX_LINK;
  set(context, {
    measured: {
      ...measured,
      packed: fits ? word : undefined,
      isTooLong: !fits,
    },
  });
}

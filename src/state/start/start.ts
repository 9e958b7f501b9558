/** What the app shows when it opens: the link's contents, otherwise the first example on the default CPU. */
import { EngineError } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import { mappingOf } from "../../model/config/cpus";
import {
  decodePermalink,
  encodePermalink,
  patchedMachine,
} from "../../model/permalink/permalink";
import type { Permalink, Screen } from "../../model/permalink/permalink";
import { ALL_SAMPLES } from "../../model/samples/state";
import { NO_WHAT_IF, writeWhatIf } from "../../model/whatif/questions";
import {
  configurationOf,
  defaultConfiguration,
  modelOf,
  withCores,
} from "../config/configurations";
import type { Context } from "../context";
import { set } from "../context";
import { count } from "../../model/shared/format";
import { reportErrors } from "../reportErrors";
import {
  clear,
  engineError,
  sentence,
  notify,
  notifyError,
  notifyUnexpected,
} from "../notices";
import { openScene, UnopenedTrace } from "../replay/scene";
import { showScreen } from "../screens";
import type { Opening, TraceSource } from "../replay/scene";
import { codeReplay, permalink, replayLink, replayPart } from "../selectors";
import type { AppState } from "../store";
import { withWindow } from "../replay/runWindow";
import { showOnly } from "../replay/attribution";
import { coreOfLink } from "../replay/coreOfLink";
import { pin } from "../replay/pin";
import { openWindow } from "../replay/timeline";
import { WATCHED } from "./welcome";
import { BUILT_IN_TRACES, withGivenOf } from "../import/traces";
import { keep } from "../import/keptActions";
import { findTrace } from "../import/traceSource";
import type { Configuration } from "../config/configurations";
import { messageOf } from "../../model/shared/messageOf";

/** Opens what stands after `#` in an address; an open replay stays. */
export async function open(context: Context, hash: string): Promise<void> {
  try {
    await openLink(context, hash);
  } catch (thrown) {
    // No check expects this, so it is no error of the engine.
    notifyUnexpected(context, thrown, "The link cannot be opened: ");
    const { snapshot } = context.store.getState();
    set(context, { task: undefined });
    if (!snapshot && hash.length > 1) await start(context, {});
  }
}

async function openLink(context: Context, hash: string): Promise<void> {
  const { welcome } = context.store.getState();
  if (welcome && hash.length <= 1) return start(context, WATCHED);
  const link = readLink(context, hash);
  if (!isScreenOnly(link)) resetChoices(context, link);
  // The messages of an import belong to the previous screen.
  const { screen } = context.store.getState();
  if (screen !== (link.screen ?? "replay"))
    set(context, { showsImport: false });
  if (link.projector) set(context, { projector: true });
  // The reader's own setting is kept for other links.
  if (link.plain) set(context, { plain: true });
  showScreen(context, link);
  // The example of the first screen does not stay open behind another screen.
  if (!welcome && context.started && isOpen(context, link)) return;
  // A screen without its own replay needs one to be open.
  await start(context, link.screen === "experiments" ? {} : link);
}

function isOpen({ store }: Context, link: Permalink): boolean {
  if (link.screen === "experiments") return true;
  if (isScreenOnly(link)) return true;
  const state = store.getState();
  const wanted = encodePermalink(replayPart(link));
  return wanted === encodePermalink(shownOn(state, link.screen));
}

/** A link without a replay keeps the open one. */
function isScreenOnly(link: Permalink): boolean {
  return (
    (link.screen ?? link.whatIf) !== undefined &&
    encodePermalink(replayPart(link)) === ""
  );
}

/** What a page's link omits has its default, whatever was chosen before. */
function resetChoices(
  context: Context,
  { screen = "replay", whatIf }: Permalink,
): void {
  const { choices, whatIf: before } = context.store.getState();
  const isUsual = writeWhatIf(before.view) === undefined;
  const { view, past, future, moving } = NO_WHAT_IF;
  set(context, {
    choices: { ...choices, [screen]: {} },
    ...(screen === "samples" && { surveyChoice: ALL_SAMPLES }),
    ...(screen === "what-if" &&
      !whatIf &&
      !isUsual && { whatIf: { ...before, view, past, future, moving } }),
  });
}

/** The replay that the link of a screen names. */
function shownOn(state: AppState, screen: Screen | undefined): Permalink {
  if (screen === "code") return codeReplay(state);
  if (screen === "compare") return replayPart(permalink({ ...state, screen }));
  return replayLink(state);
}

function readLink(context: Context, hash: string): Permalink {
  try {
    return decodePermalink(hash);
  } catch (thrown) {
    const why = messageOf(thrown);
    // The reason may quote the link, which can be long.
    const short = why.length > 300 ? `${why.slice(0, 300)}…` : why;
    notify(context, {
      tone: "note",
      text: `The link cannot be read: ${sentence(short)} Pagewalk opens without it.`,
    });
    return {};
  }
}

/** `isAsked`: the user wants a trace that takes long to generate. */
export function start(
  context: Context,
  link: Permalink,
  isAsked = false,
): Promise<void> {
  context.started = true;
  return reportErrors(context, async () => {
    clear(context, "link");
    const wanted = await sourceOf(context, link);
    const source = isAsked ? wanted : await ifShort(context, link, wanted);
    // File and module load in parallel; an error is handled where the file is used.
    if ("shipped" in source)
      void context.fetchTrace(source.shipped).catch(() => undefined);
    const cpus = await context.engine.call("cpus", {});
    set(context, { cpus });
    const fallback = defaultConfiguration({ cpus });
    if (!fallback)
      throw new EngineError(
        "unsupported",
        "Pagewalk has no CPU models: reload the page.",
      );
    const isNamed = link.workload
      ? "workload" in source
      : (link.file ?? link.address) === undefined ||
        "kept" in source ||
        "text" in source;
    const shipped = "shipped" in source ? source.shipped : undefined;
    const cpu = link.cpu ?? shipped?.cpu;
    const base =
      linked(context, { cpus }, { ...link, ...(cpu && { cpu }) }, isNamed) ??
      fallback;
    // A link that names the mapping has the given state, too.
    const isMapped = link.os !== undefined;
    const configuration = withCores(
      shipped && !isMapped ? withGivenOf(base, shipped) : base,
      link.cores ?? shipped?.cores,
    );
    const usual = shipped?.at ?? "opening";
    const openAt = isNamed ? (link.access ?? usual) : "opening";
    const chosen: Opening = { source, configuration, openAt, isMapped };
    const isOpen = await openOrFirst(context, chosen, fallback);
    const isHere = isNamed && isOpen;
    const { trace } = context.store.getState();
    if (isOpen && trace && "text" in source)
      void keep(context, trace, Promise.resolve({ data: source.text.data }));
    if (isHere) noteIfClamped(context, openAt);
    if (link.window && isHere) await openWindow(context, link.window);
    if (link.only && isHere) await showOnly(context, link.only);
    pin(context, link.structure);
    if (isHere) await coreOfLink(context, link.core);
  });
}

/** From here on a link's trace is generated only after a press: it takes seconds, and much memory. */
const LONG = 20_000_000;

/** The source, or the first example and a question if it takes long. */
async function ifShort(
  context: Context,
  link: Permalink,
  source: TraceSource,
): Promise<TraceSource> {
  if (!("workload" in source) || (source.accesses ?? 0) <= LONG) return source;
  const { askToGenerate } = await import("./askForTrace");
  askToGenerate(context, source.accesses ?? 0, () => {
    void start(context, link, true);
  });
  return { shipped: BUILT_IN_TRACES[0] };
}

/** Opens the trace, otherwise the first example; returns whether it is the trace. */
async function openOrFirst(
  context: Context,
  chosen: Opening,
  fallback: Configuration,
): Promise<boolean> {
  try {
    await openWithFallbacks(context, chosen, fallback);
    return true;
  } catch (thrown) {
    const error = engineError(thrown);
    const [first] = BUILT_IN_TRACES;
    const { source } = chosen;
    const isFirst = "shipped" in source && source.shipped.id === first.id;
    if (isFatal(error) || error.code === "cancelled" || isFirst) throw error;
    notifyError(context, error, {
      kind: "setup",
      before: "The link’s trace cannot be opened: ",
      after: ` “${first.title}” is shown.`,
    });
    const configuration = withWindow(chosen.configuration, undefined);
    const next: Opening = {
      source: { shipped: first },
      configuration: withCores(configuration, first.cores),
      openAt: first.at ?? "opening",
    };
    await openWithFallbacks(context, next, fallback);
    return false;
  }
}

/** The link's setup, otherwise as much of it as can be simulated, with a message. */
async function openWithFallbacks(
  context: Context,
  chosen: Opening,
  fallback: Configuration,
): Promise<void> {
  const { configuration } = chosen;
  try {
    await openScene(context, chosen);
  } catch (thrown) {
    const error = engineError(thrown);
    // A replaced call is no rejection.
    if (
      isFatal(error) ||
      error.code === "cancelled" ||
      error instanceof UnopenedTrace ||
      configuration === fallback
    )
      throw error;
    const { wayOut } = await import("./wayOut");
    const { next, before, after } = wayOut(error, configuration, fallback);
    notifyError(context, error, { kind: "setup", before, after });
    await openWithFallbacks(
      context,
      { ...chosen, configuration: next },
      fallback,
    );
  }
}

function noteIfClamped(context: Context, openAt: number | "opening"): void {
  const last = (context.store.getState().trace?.n_accesses ?? 0) - 1;
  if (openAt === "opening" || openAt <= last) return;
  notify(context, {
    tone: "note",
    text: `The link’s access ${count(openAt)} does not exist. The last one, ${count(last)}, is shown.`,
  });
}

/** The link's trace if it can be opened, otherwise the first example and the reason. */
async function sourceOf(
  context: Context,
  link: Permalink,
): Promise<TraceSource> {
  context.wantedFile = undefined;
  const found = await findTrace(context, link);
  if (!("missing" in found)) return found;
  const [first] = BUILT_IN_TRACES;
  const { trace, file, workload } = link;
  if (found.rejected)
    notifyError(context, found.rejected, {
      before: "The link’s trace cannot be generated: ",
      after: ` “${first.title}” is shown.`,
    });
  else if (found.address !== undefined)
    void import("../import/remote").then(({ askAboutRemote }) =>
      askAboutRemote(context, link, found.address ?? ""),
    );
  else if (found.code !== undefined || (file !== undefined && !workload))
    (await import("./askForTrace")).askForTrace(context, link, found);
  else
    notify(context, {
      tone: "note",
      text: `There is no example trace “${trace ?? ""}”; “${first.title}” is shown.`,
    });
  return { shipped: first };
}

/** The machine and the mapping of a link, if it names any. */
export function linked(
  context: Context,
  state: Pick<AppState, "cpus">,
  { cpu, machine, os, cores, count: wanted }: Permalink,
  isHere: boolean,
): Configuration | undefined {
  // A counted part belongs to its trace: a file's part waits for the import.
  const window = isHere ? wanted : undefined;
  if ([cpu, machine, os, cores, window].every((part) => part === undefined))
    return undefined;
  const fallback = defaultConfiguration(state)?.cpu ?? "";
  const named = modelOf(state, cpu ?? fallback);
  const model = named ?? modelOf(state, fallback);
  if (!model) return undefined;
  if (!named) {
    const lost = machine === undefined ? "" : " without the link’s changes";
    notify(context, {
      tone: "note",
      text: `There is no CPU model “${cpu ?? ""}”; ${model.name} is shown${lost}. Everything else is the link’s.`,
    });
  }
  // The changes of a machine make sense only on its own model.
  const patched = patchedMachine(model.machine, named && machine);
  const plain = configurationOf(model, os ?? mappingOf(model, patched));
  return withWindow(
    {
      ...plain,
      setup: { ...plain.setup, machine: patched, ...(cores && { cores }) },
    },
    window,
  );
}

/** What the app shows when it opens: the link's contents, otherwise the first example on the default CPU. */
import { EngineError } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import { smallestPage } from "../../model/config/defaults";
import {
  decodePermalink,
  encodePermalink,
  patchedMachine,
  PLAIN_OS,
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
import { clear, engineError, sentence, notify, notifyError } from "../notices";
import { openScene } from "../replay/scene";
import { showScreen } from "../screens";
import type { Opening, TraceSource } from "../replay/scene";
import { behindLoop, permalink, replayLink, replayPart } from "../selectors";
import type { AppState } from "../store";
import { withWindow } from "../replay/runWindow";
import { isAboutMapping, isAboutWindow } from "../config/setup";
import { showOnly } from "../replay/attribution";
import { showLinkedCore } from "../replay/linkedCore";
import { pin } from "../replay/pin";
import { openWindow } from "../replay/timeline";
import { BUILT_IN_TRACES } from "../import/traces";
import { findTrace } from "../import/traceSource";
import type { Configuration } from "../config/configurations";

/** Opens what stands after `#` in an address; an open replay stays. */
export async function open(context: Context, hash: string): Promise<void> {
  const link = readLink(context, hash);
  if (!isScreenOnly(link)) forgetChoices(context, link);
  // The messages of an import belong to the previous screen.
  const { screen } = context.store.getState();
  if (screen !== (link.screen ?? "replay"))
    set(context, { showsImport: false });
  showScreen(context, link);
  if (context.started && isOpen(context, link)) return;
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
function forgetChoices(
  context: Context,
  { screen = "replay", whatIf }: Permalink,
): void {
  const { choices, whatIf: before } = context.store.getState();
  const isUsual = writeWhatIf(before.view) === undefined;
  const { view, past, moving } = NO_WHAT_IF;
  set(context, {
    choices: { ...choices, [screen]: {} },
    ...(screen === "samples" && { surveyChoice: ALL_SAMPLES }),
    ...(screen === "what-if" &&
      !whatIf &&
      !isUsual && { whatIf: { ...before, view, past, moving } }),
  });
}

/** The replay that the link of a screen names. */
function shownOn(state: AppState, screen: Screen | undefined): Permalink {
  if (screen === "loop") return behindLoop(state);
  if (screen === "compare") return replayPart(permalink({ ...state, screen }));
  return replayLink(state);
}

function readLink(context: Context, hash: string): Permalink {
  try {
    return decodePermalink(hash);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    notify(context, {
      tone: "note",
      text: `The link cannot be read: ${sentence(why)} Pagewalk opens without it.`,
    });
    return {};
  }
}

export function start(context: Context, link: Permalink): Promise<void> {
  context.started = true;
  return reportErrors(context, async () => {
    clear(context, "link");
    const source = await sourceOf(context, link);
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
    const isHere = link.file === undefined || "kept" in source;
    const shipped = "shipped" in source ? source.shipped : undefined;
    const configuration = withCores(
      linked(context, { cpus }, link, isHere) ?? fallback,
      link.cores ?? shipped?.cores,
    );
    const usual = shipped?.at ?? "opening";
    const openAt = isHere ? (link.access ?? usual) : "opening";
    const chosen: Opening = { source, configuration, openAt };
    await openWithFallbacks(context, chosen, fallback);
    noteIfClamped(context, openAt);
    if (link.window && isHere) await openWindow(context, link.window);
    if (link.only && isHere) await showOnly(context, link.only);
    pin(context, link.structure);
    if (isHere) await showLinkedCore(context, link.core);
  });
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
      configuration === fallback
    )
      throw error;
    const { next, before, after } = wayOut(error, configuration, fallback);
    notifyError(context, error, { kind: "setup", before, after });
    await openWithFallbacks(
      context,
      { ...chosen, configuration: next },
      fallback,
    );
  }
}

/** The parts of a link that work although another part was rejected. */
function wayOut(
  error: EngineError,
  configuration: Configuration,
  fallback: Configuration,
) {
  const { setup } = configuration;
  if (setup.window && isAboutWindow(error))
    return {
      next: withWindow(configuration, undefined),
      before: "The link’s part of the trace cannot be counted: ",
      after: " The whole trace is counted.",
    };
  const os = plainOs(setup.machine);
  if (
    isAboutMapping(error) &&
    encodePermalink({ os: setup.os }) !== encodePermalink({ os })
  )
    return {
      next: { ...configuration, setup: { ...setup, os } },
      before: "The link’s memory cannot be simulated: ",
      after: ` Memory was set to native pages of ${os.default}; the machine is the link’s.`,
    };
  return {
    next: fallback,
    before: "The link’s machine cannot be simulated: ",
    after: " The default machine is shown.",
  };
}

/** The memory mapping if a link omits it: the machine's smallest pages. */
function plainOs(machine: MachineConfig): OsConfig {
  return { ...PLAIN_OS, default: smallestPage(machine) };
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
  else if (file !== undefined && !workload)
    wantFile(context, link, file, found.missing);
  else
    notify(context, {
      tone: "note",
      text: `There is no example trace “${trace ?? ""}”; “${first.title}” is shown.`,
    });
  return { shipped: first };
}

/** The file of a link is not kept here: the link continues when the file is imported. */
function wantFile(
  context: Context,
  link: Permalink,
  file: string,
  missing: string,
): void {
  const { access } = link;
  context.wantedFile = link;
  const goOn =
    access === undefined
      ? "Import it again"
      : `Import it again to continue at access ${count(access)}`;
  const [first] = BUILT_IN_TRACES;
  notify(context, {
    tone: "note",
    kind: "link",
    text: `“${file}” cannot be opened: ${missing} ${goOn}. Until then “${first.title}” is shown.`,
  });
}

function linked(
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
  const plain = configurationOf(model, os ?? plainOs(patched));
  return withWindow(
    {
      ...plain,
      setup: { ...plain.setup, machine: patched, ...(cores && { cores }) },
    },
    window,
  );
}

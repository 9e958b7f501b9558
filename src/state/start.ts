/** What the app shows when it opens: what the link says, else the shipped trace on the default CPU. */
import { EngineError } from "../engine/engine";
import { isFatal } from "../engine/errors";
import { decodePermalink, patchedMachine, PLAIN_OS } from "../model/permalink";
import type { Permalink } from "../model/permalink";
import {
  configurationOf,
  defaultConfiguration,
  modelOf,
} from "./configurations";
import type { Context } from "./context";
import { set } from "./context";
import { count } from "../model/format";
import { guard } from "./guard";
import { clear, engineError, sentence, tell, tellError } from "./notices";
import { openScene } from "./scene";
import type { Opening } from "./scene";
import type { AppState, Configuration } from "./store";
import { isAboutMapping } from "./setupActions";
import { openWindow } from "./timelineActions";
import { BUILT_IN_TRACES, builtInTrace } from "./traces";

/** Opens what stands after `#` in an address. */
export function open(context: Context, hash: string): Promise<void> {
  return start(context, readLink(context, hash));
}

function readLink(context: Context, hash: string): Permalink {
  try {
    return decodePermalink(hash);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    tell(context, {
      tone: "note",
      text: `The link cannot be read: ${sentence(why)} The app opens as without it.`,
    });
    return {};
  }
}

export function start(context: Context, link: Permalink): Promise<void> {
  return guard(context, async () => {
    clear(context, "link");
    const trace = traceOf(context, link);
    // The file and the module come at the same time; an error is met where the file is used.
    void context.fetchTrace(trace).catch(() => undefined);
    const cpus = await context.engine.cpus();
    set(context, { cpus });
    const fallback = defaultConfiguration({ cpus });
    if (!fallback)
      throw new EngineError("unsupported", "No CPU model ships with the app.");
    const configuration = linked(context, { cpus }, link) ?? fallback;
    const openAt: Opening["openAt"] = isHere(link)
      ? (link.access ?? "opening")
      : "opening";
    const chosen: Opening = { trace, configuration, openAt };
    await openWithFallbacks(context, chosen, fallback);
    tellIfClamped(context, openAt);
    if (link.window && isHere(link)) await openWindow(context, link.window);
  });
}

/** What the link says; else its CPU with 4K pages, if only its pages cannot be; else the default machine. */
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
    if (isFatal(error) || configuration === fallback) throw error;
    const { setup } = configuration;
    const isMapping = isAboutMapping(error) && setup.os !== PLAIN_OS;
    tellError(context, error, {
      kind: "setup",
      before: isMapping
        ? "The link's pages cannot be simulated: "
        : "The link's machine cannot be simulated: ",
      after: isMapping
        ? " Pages were set to 4K; the machine is the link's."
        : " The default one is shown.",
    });
    const plain = { ...configuration, setup: { ...setup, os: PLAIN_OS } };
    const next = isMapping ? plain : fallback;
    await openWithFallbacks(
      context,
      { ...chosen, configuration: next },
      fallback,
    );
  }
}

function tellIfClamped(context: Context, openAt: number | "opening"): void {
  const last = (context.store.getState().trace?.n_accesses ?? 0) - 1;
  if (openAt === "opening" || openAt <= last) return;
  tell(context, {
    tone: "note",
    text: `The link's access ${count(openAt)} does not exist: the last one, ${count(last)}, is shown.`,
  });
}

const isHere = ({ file }: Permalink) => file === undefined;

function traceOf(context: Context, link: Permalink) {
  const { trace, file, access } = link;
  context.wantedFile = file === undefined ? undefined : link;
  const goOn =
    access === undefined
      ? "import it again"
      : `import it again to continue at access ${count(access)}`;
  const [first] = BUILT_IN_TRACES;
  const found = trace === undefined ? first : builtInTrace(trace);
  if (file !== undefined)
    tell(context, {
      tone: "note",
      kind: "link",
      text: `“${file}” is not kept across a reload: ${goOn}. Until then “${first.title}” is shown.`,
    });
  else if (!found)
    tell(context, {
      tone: "note",
      text: `There is no shipped trace “${trace ?? ""}”; “${first.title}” is shown.`,
    });
  return found ?? first;
}

function linked(
  context: Context,
  state: Pick<AppState, "cpus">,
  { cpu, machine, os }: Permalink,
): Configuration | undefined {
  if (cpu === undefined && machine === undefined && os === undefined)
    return undefined;
  const fallback = defaultConfiguration(state);
  const model = modelOf(state, cpu ?? fallback?.cpu ?? "");
  if (!model) {
    tell(context, {
      tone: "note",
      text: `There is no CPU model “${cpu ?? ""}”; the default one is shown.`,
    });
    return undefined;
  }
  const plain = configurationOf(model, os ?? PLAIN_OS);
  const patched = patchedMachine(model.machine, machine);
  return { ...plain, setup: { ...plain.setup, machine: patched } };
}

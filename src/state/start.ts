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
import { guard } from "./guard";
import { engineError, tell, tellError } from "./notices";
import { openScene } from "./scene";
import type { AppState, Configuration } from "./store";
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
      text: `The link cannot be read: ${why} The app opens as without it.`,
    });
    return {};
  }
}

export function start(context: Context, link: Permalink): Promise<void> {
  return guard(context, async () => {
    const trace = traceOf(context, link);
    // The file and the module come at the same time; an error is met where the file is used.
    void context.fetchTrace(trace).catch(() => undefined);
    const cpus = await context.engine.cpus();
    set(context, { cpus });
    const fallback = defaultConfiguration({ cpus });
    if (!fallback)
      throw new EngineError("unsupported", "No CPU model ships with the app.");
    const configuration = linked(context, { cpus }, link) ?? fallback;
    const openAt = isHere(link) ? (link.access ?? "opening") : "opening";
    try {
      await openScene(context, { trace, configuration, openAt });
    } catch (thrown) {
      const error = engineError(thrown);
      if (isFatal(error) || configuration === fallback) throw error;
      tellError(context, error, {
        before: "The link's machine cannot be simulated: ",
        after: " The default one is shown.",
      });
      await openScene(context, { trace, configuration: fallback, openAt });
    }
    if (link.window && isHere(link)) await openWindow(context, link.window);
  });
}

const isHere = ({ file }: Permalink) => file === undefined;

function traceOf(context: Context, { trace, file }: Permalink) {
  const [first] = BUILT_IN_TRACES;
  const found = trace === undefined ? first : builtInTrace(trace);
  if (file !== undefined)
    tell(context, {
      tone: "note",
      text: `The link was made with your own or somebody else's file “${file}”, which no link can carry. Import it to see the same; “${first.title}” is shown.`,
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

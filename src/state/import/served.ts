/** Opens the trace that `pagewalk open` serves with the page. */
import { decodePermalink } from "../../model/permalink/permalink";
import type { Progress } from "../../engine/engine";
import type { Permalink } from "../../model/permalink/permalink";
import { defaultConfiguration } from "../config/configurations";
import type { Context } from "../context";
import { set } from "../context";
import { notify, sentence } from "../notices";
import { reportErrors } from "../reportErrors";
import { linked, open, start } from "../start/start";
import type { ServedService } from "./servedService";
import { importFile } from "./importFile";
import { messageOf } from "../../model/shared/messageOf";

/** A page that is loaded again has a link to what it showed of the trace. */
export async function openServed(
  context: Context,
  hash: string,
): Promise<void> {
  const { served: service } = await context.remote();
  context.kept = service.kept;
  const token = service.token();
  if (token === undefined) return open(context, hash);
  const link = linkOf(hash);
  // The user has opened something else since.
  if (link.trace ?? link.workload ?? link.address) return open(context, hash);
  const found = await read(context, service, token);
  if (!(await configure(context, link))) return;
  context.started = true;
  if (!found) {
    // An example in place of the trace could be taken for it. No picture waits for a run.
    set(context, { stale: false });
    return;
  }
  const { name, file } = found;
  context.wantedFile = { ...link, file: name };
  await importFile(context, {
    file,
    name,
    ...(link.screen && { screen: link.screen }),
  });
  const { trace, notices } = context.store.getState();
  const failed = notices.some(({ kind }) => kind === "import");
  // Counters need another trace for the replay.
  if (!trace && !failed) await start(context, {});
}

function linkOf(hash: string): Permalink {
  try {
    return decodePermalink(hash);
  } catch {
    return {};
  }
}

async function read(context: Context, service: ServedService, token: string) {
  const abort = new AbortController();
  context.import = abort;
  const begun = context.clock.now();
  try {
    return await service.fetch(token, {
      signal: abort.signal,
      onProgress: (name, size, done) => {
        const ms = Math.max(1, context.clock.now() - begun);
        const rate = (1000 * done) / ms;
        const progress: Progress = { unit: "bytes", done, rate };
        if (!abort.signal.aborted)
          set(context, { importing: { name, size, progress } });
      },
    });
  } catch (thrown) {
    const why = messageOf(thrown);
    if (!abort.signal.aborted)
      notify(context, {
        tone: "note",
        kind: "import",
        text: `The trace of \`pagewalk open\` cannot be read: ${sentence(why)}`,
      });
    return undefined;
  } finally {
    set(context, { importing: undefined });
  }
}

/** Prepares the machine of the link, or the default one. Returns whether there is one. */
async function configure(context: Context, link: Permalink): Promise<boolean> {
  let isReady = false;
  await reportErrors(context, async () => {
    const cpus = await context.engine.call("cpus", {});
    set(context, { cpus });
    const usual = defaultConfiguration({ cpus });
    const wanted = linked(context, { cpus }, link, false);
    for (const configuration of [wanted, usual]) {
      if (!configuration || isReady) continue;
      const { setup } = configuration;
      const machine = await context.engine
        .call("configure", setup)
        .catch((thrown: unknown) => {
          if (configuration === usual) throw thrown;
        });
      if (!machine) continue;
      set(context, { configuration, machine });
      isReady = true;
    }
  });
  return isReady;
}

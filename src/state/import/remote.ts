/** The trace at an address that a link names. It is fetched only after the user pressed a button. */
import { fileSize } from "../../model/shared/format";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { notify, sentence } from "../notices";
import type { RemoteTrace } from "../store";
import { importFile } from "./importFile";
import { messageOf } from "../../model/shared/messageOf";

/** The largest file that is fetched: a browser tab holds it besides the trace. */
export const MOST_FETCHED = 500_000_000;

/** Shows where the trace is, and asks its server for the size. */
export async function askAboutRemote(
  context: Context,
  link: Permalink,
  wanted: string,
): Promise<void> {
  context.fetching?.abort();
  const abort = new AbortController();
  context.fetching = abort;
  let where;
  try {
    where = (await context.remote()).resolve(wanted);
  } catch (thrown) {
    notify(context, {
      tone: "note",
      kind: "link",
      text: `The link’s trace cannot be fetched: ${reason(thrown)}`,
    });
    return;
  }
  set(context, { remote: { link, ...where, size: null } });
  const seen = await look(context, where.address, abort.signal);
  if (abort.signal.aborted) return;
  set(context, { remote: { link, ...where, ...seen } });
}

/** The size and the final address; nothing if the server does not answer this question. */
async function look(
  context: Context,
  address: string,
  signal: AbortSignal,
): Promise<Partial<RemoteTrace>> {
  try {
    const remote = await context.remote();
    const seen = await remote.look(address, signal);
    if (!seen) return {};
    const { size } = seen;
    return {
      ...remote.resolve(seen.address),
      ...(size !== undefined && { size }),
    };
  } catch {
    return {};
  }
}

/** Fetches the trace and imports it where the link says. */
export async function fetchRemote(context: Context): Promise<void> {
  const { remote } = context.store.getState();
  if (!remote) return;
  context.fetching?.abort();
  const abort = new AbortController();
  context.fetching = abort;
  const { link, address, host, isOwn } = remote;
  const base = { link, address, host, isOwn };
  const show = (part: Partial<RemoteTrace>) => {
    if (!abort.signal.aborted) set(context, { remote: { ...base, ...part } });
  };
  const known = typeof remote.size === "number" ? { size: remote.size } : {};
  show({ ...known, done: 0 });
  let file: Blob;
  try {
    const service = await context.remote();
    file = await service.fetch(address, {
      signal: abort.signal,
      onProgress: (done, total) => {
        if (Math.max(done, total ?? 0) > MOST_FETCHED)
          throw new Error(
            `it is larger than ${fileSize(MOST_FETCHED)}, which a tab can hold. Download it, select a part, and import that.`,
          );
        show({ done, ...(total === undefined ? known : { size: total }) });
      },
    });
  } catch (thrown) {
    show({ ...known, problem: reason(thrown) });
    return;
  }
  if (abort.signal.aborted) return;
  set(context, { remote: undefined });
  const name = nameOf(address);
  context.wantedFile = { ...link, file: name };
  await importFile(context, {
    file,
    name,
    address,
    ...(link.screen && { screen: link.screen }),
  });
}

function reason(thrown: unknown): string {
  return sentence(messageOf(thrown));
}

/** The last part of the path, which is the name of the file. */
export function nameOf(address: string): string {
  const path = address.replace(/[?#].*/, "");
  const last = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last).slice(0, 200) || "trace";
  } catch {
    return last.slice(0, 200) || "trace";
  }
}

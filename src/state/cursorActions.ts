/** Moving through the trace: at most one seek is under way, and only the newest wish is kept. */
import type { Target } from "../engine/engine";
import { count } from "../model/format";
import type { Context } from "./context";
import { set } from "./context";
import { guard } from "./guard";
import { tell } from "./notices";

/** Shows access `index`, or the nearest end of the trace. */
export async function goTo(context: Context, index: number): Promise<void> {
  const { trace, stale } = context.store.getState();
  if (!trace || stale) return;
  const at = Math.max(0, Math.min(Math.round(index), trace.n_accesses - 1));
  set(context, { cursor: at });
  context.wanted = at;
  if (!context.seeking) await guard(context, () => seekWanted(context));
}

async function seekWanted(context: Context): Promise<void> {
  const { signal } = context.scene;
  context.seeking = true;
  try {
    for (;;) {
      const index = context.wanted;
      if (index === undefined || signal.aborted) return;
      context.wanted = undefined;
      const snapshot = await context.engine.seek(index);
      if (signal === context.scene.signal) set(context, { snapshot });
    }
  } finally {
    context.seeking = false;
  }
}

export function step(context: Context, by: number): Promise<void> {
  return goTo(context, context.store.getState().cursor + by);
}

const WORDS = {
  "l1-miss": "L1 miss",
  "l2-hit": "L2 hit",
  walk: "walk",
  fault: "fault",
} as const;

function describe(target: Target): string {
  return target.what === "page"
    ? `access to the page of ${target.address}`
    : WORDS[target.what];
}

/** Jumps to the nearest access that fits. False if there is none in that direction. */
export async function jump(
  context: Context,
  target: Target,
  direction: 1 | -1,
): Promise<void> {
  const { cursor, stale } = context.store.getState();
  if (stale) return;
  set(context, { playing: false });
  const found = await find(context, target, direction);
  if (found === undefined) return;
  if (found !== null) return goTo(context, found);
  const where = direction === 1 ? "after" : "before";
  tell(context, {
    tone: "note",
    text: `There is no ${describe(target)} ${where} access ${count(cursor)}.`,
  });
}

/** Jumps to the page that holds `address`: forward, or back where the trace does not touch it again. */
export async function jumpToPage(
  context: Context,
  address: string,
): Promise<void> {
  if (context.store.getState().stale) return;
  set(context, { playing: false });
  const target: Target = { what: "page", address };
  const forward = await find(context, target, 1);
  if (forward === undefined) return;
  const found = forward ?? (await find(context, target, -1));
  if (found === undefined) return;
  if (found !== null) return goTo(context, found);
  tell(context, {
    tone: "note",
    text: `No other access touches the page of ${address}.`,
  });
}

/** `null` if nothing fits, `undefined` if the search was overtaken or failed. */
async function find(
  context: Context,
  target: Target,
  direction: 1 | -1,
): Promise<number | null | undefined> {
  context.find?.abort();
  const abort = new AbortController();
  context.find = abort;
  let found: number | null | undefined;
  set(context, {
    task: {
      kind: "find",
      label: `Looking for the ${describe(target)}`,
      find: { target, direction },
    },
  });
  await guard(context, async () => {
    const { cursor } = context.store.getState();
    found = await context.engine.find(cursor, direction, target, {
      signal: abort.signal,
    });
  });
  if (context.find === abort && !context.scene.signal.aborted) {
    const { task } = context.store.getState();
    if (task?.kind === "find") set(context, { task: undefined });
  }
  return abort.signal.aborted ? undefined : found;
}

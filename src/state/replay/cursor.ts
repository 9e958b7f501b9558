/** Moves through the trace: at most one seek is in progress, and only the latest request is kept. */
import type { Target } from "../../engine/engine";
import { count } from "../../model/shared/format";
import { simulatedAt } from "../../model/shared/runWindow";
import type { Context } from "../context";
import { set } from "../context";
import { coreOf } from "./core";
import { reportErrors } from "../reportErrors";
import { clear, dismiss, notify } from "../notices";
import { runSpanOf } from "./runWindow";

/** Shows access `index`, or the nearest end of the trace. */
export async function goTo(context: Context, index: number): Promise<void> {
  const { trace, stale } = context.store.getState();
  if (!trace || stale) return;
  clear(context, "find");
  const at = simulatedAt(
    runSpanOf(context.store.getState()),
    Math.round(index),
  );
  set(context, { cursor: at });
  context.wanted = at;
  if (!context.seeking) await reportErrors(context, () => seekWanted(context));
}

async function seekWanted(context: Context): Promise<void> {
  const { signal } = context.scene;
  context.seeking = true;
  try {
    for (;;) {
      const index = context.wanted;
      if (index === undefined || signal.aborted) return;
      context.wanted = undefined;
      const core = coreOf(context.store.getState());
      const snapshot = await context.engine.call("seek", {
        index,
        ...(core !== undefined && { core }),
      });
      if (signal === context.scene.signal) set(context, { snapshot });
    }
  } finally {
    context.seeking = false;
  }
}

/** Shows the TLBs of this core at every access; without one, those of the core that makes the access. */
export function showCore(
  context: Context,
  core: number | undefined,
): Promise<void> {
  const { machine, trace, cursor } = context.store.getState();
  const isThere = core !== undefined && machine && trace;
  set(context, { core: isThere ? { machine, trace, core } : undefined });
  return goTo(context, cursor);
}

export function step(context: Context, by: number): Promise<void> {
  return goTo(context, context.store.getState().cursor + by);
}

const WORDS = {
  "l1-miss": "L1 miss",
  "l2-hit": "L2 hit",
  operation: "operation",
  walk: "walk",
  fault: "page fault or exception",
} as const;

function describe(target: Target): string {
  if (target.what !== "page") return WORDS[target.what];
  return `access ${target.exact ? "at" : "to the page of"} ${target.address}`;
}

/** Moves to the nearest matching access. Resolves to false if there is none in that direction. */
export async function jump(
  context: Context,
  target: Target,
  direction: 1 | -1,
): Promise<void> {
  const { cursor, stale } = context.store.getState();
  if (stale) return;
  clear(context, "find");
  set(context, { playing: false });
  const found = await find(context, target, direction);
  if (found === undefined) return;
  if (found !== null) return goTo(context, found);
  const where = direction === 1 ? "after" : "before";
  notifyBriefly(
    context,
    `There is no ${describe(target)} ${where} access ${count(cursor)}.`,
  );
}

/** The message of a failed search disappears after this time, in milliseconds. */
const BRIEF_MS = 6000;

export function notifyBriefly(context: Context, text: string): void {
  const id = notify(context, { tone: "note", kind: "find", text });
  setTimeout(() => dismiss(context, id), BRIEF_MS);
}

/** `null` if nothing matches, `undefined` if the search was replaced or failed. */
export async function find(
  context: Context,
  target: Target,
  direction: 1 | -1,
  from = context.store.getState().cursor,
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
  await reportErrors(context, async () => {
    found = await context.engine.start(
      "find",
      { index: from, direction, target },
      { signal: abort.signal },
    );
  });
  if (context.find === abort && !context.scene.signal.aborted) {
    const { task } = context.store.getState();
    if (task?.kind === "find") set(context, { task: undefined });
  }
  return abort.signal.aborted ? undefined : found;
}

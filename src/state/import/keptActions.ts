/** Keeps imported traces across reloads. `keptList.ts` opens and deletes them. */
import type { TraceView } from "../../engine/generated/TraceView";
import type { Carried } from "../../model/permalink/permalink";
import { fileSize } from "../../model/shared/format";
import type { Context } from "../context";
import { set } from "../context";
import { KeepError } from "./kept";
import type { KeepFailure } from "./kept";
import { engineError, sentence, notify } from "../notices";
import { isSameTrace } from "./sameTrace";
import type { Kept } from "../replay/scene";

/** Reads the list of kept traces. If the browser cannot keep any, the list is empty and has a reason. */
export async function loadKept(context: Context): Promise<void> {
  try {
    set(context, { kept: await context.kept.list(), keptProblem: undefined });
  } catch (thrown) {
    const why = whyNot(keepError(thrown));
    set(context, { kept: [], keptProblem: `No traces can be kept: ${why}` });
  }
}

/**
 * Keeps the trace that was just imported, with its form in links. A failure only means that it is not kept.
 */
export async function keep(
  context: Context,
  view: TraceView,
  carrying: Promise<Carried | undefined>,
): Promise<void> {
  const { name, n_accesses: accesses, import: report } = view;
  let bytes: number | undefined;
  try {
    const { file, hash } = await context.engine.start("save", {});
    if (context.store.getState().trace !== view) return;
    bytes = file.size;
    noteIfOtherTrace(context, name, hash);
    const { format, completeness, part = false } = report;
    const date = context.clock.date();
    const carried = await carrying;
    const known = { hash, name, format, completeness, accesses, bytes, date };
    const trace = {
      ...known,
      ...(part && { part }),
      ...(carried && { carried }),
    };
    try {
      await context.kept.put(trace, file);
    } finally {
      // Set only now, so that a reload finds what the link names.
      if (isSameTrace(view, context.store.getState().trace))
        set(context, { hash });
    }
  } catch (thrown) {
    if (!(thrown instanceof KeepError)) {
      // Errors of the engine are reported by the caller that waits for the trace.
      engineError(thrown);
      return;
    }
    notify(context, {
      tone: "note",
      kind: "keep",
      text: `“${name}” is open, but cannot be kept for the next visit: ${whyNot(thrown, bytes)}`,
    });
  }
  await loadKept(context);
}

/** The imported file has the name of the link's file but other contents. */
function noteIfOtherTrace(context: Context, name: string, hash: string): void {
  const { expected } = context;
  context.expected = undefined;
  if (expected === undefined || expected === hash) return;
  notify(context, {
    tone: "note",
    kind: "link",
    text: `“${name}” has the name of the link’s trace, but other contents, so the link’s access shows something else here.`,
  });
}

/** A kept trace, or the reason why it is missing, as the end of a sentence. */
export async function find(
  context: Context,
  hash: string,
): Promise<Kept | { readonly missing: string }> {
  try {
    const found = await context.kept.get(hash);
    return found ?? { missing: "it is not kept in this browser." };
  } catch (thrown) {
    return { missing: whyNot(keepError(thrown)) };
  }
}

const WHY: Readonly<Record<KeepFailure, string>> = {
  "no-room":
    "the browser gives this page no more space. Delete traces under Import.",
  "not-allowed":
    "this browser stores nothing for this page, as in a private window or with blocked cookies.",
  newer:
    "a newer version of Pagewalk has changed the stored data. Reload the page.",
  failed: "",
};

/** A reason as the end of a sentence. */
export function whyNot({ why, message }: KeepError, bytes?: number): string {
  if (why === "failed") return `the browser reports: ${sentence(message)}`;
  if (why === "no-room" && bytes !== undefined)
    return `it takes ${fileSize(bytes)}, and ${WHY[why]}`;
  return WHY[why];
}

/** Any other error is a bug of the app and is thrown again. */
export function keepError(thrown: unknown): KeepError {
  if (thrown instanceof KeepError) return thrown;
  throw thrown;
}

/** Changes what the browser keeps. Resolves with the reason, as the end of a sentence, if that fails. */
export async function whyFailed(
  work: () => Promise<void>,
): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return whyNot(keepError(thrown));
  }
}

/** Keeping imported traces across reloads: after an import, on request, and opening them again. */
import type { TraceView } from "../../engine/generated/TraceView";
import { fileSize } from "../../model/shared/format";
import type { Context } from "../context";
import { set } from "../context";
import { guard } from "../guard";
import { KeepError } from "./kept";
import type { KeepFailure } from "./kept";
import { clear, engineError, sentence, tell } from "../notices";
import { isSameTrace } from "../start/recover";
import { withWindow } from "../replay/runWindow";
import { screenOf, showScreen } from "../screens";
import { openScene } from "../replay/scene";
import type { Kept } from "../replay/scene";

/** Asks for the list of what is kept; where nothing can be, it is empty, with why. */
export async function loadKept(context: Context): Promise<void> {
  try {
    set(context, { kept: await context.kept.list(), keptProblem: undefined });
  } catch (thrown) {
    const why = whyNot(keepError(thrown));
    set(context, { kept: [], keptProblem: `Nothing is kept: ${why}` });
  }
}

/** Keeps the current trace, which was just imported. What goes wrong costs the keeping only. */
export async function keep(context: Context, view: TraceView): Promise<void> {
  const { name, n_accesses: accesses, import: report } = view;
  let bytes: number | undefined;
  try {
    const { file, hash } = await context.engine.saveTrace();
    if (context.store.getState().trace !== view) return;
    bytes = file.size;
    tellIfAnother(context, name, hash);
    const { format, completeness, part = false } = report;
    const date = context.clock.date();
    const known = { hash, name, format, completeness, accesses, bytes, date };
    try {
      await context.kept.put(part ? { ...known, part } : known, file);
    } finally {
      // Only now, so that a reload finds what the address names.
      if (isSameTrace(view, context.store.getState().trace))
        set(context, { hash });
    }
  } catch (thrown) {
    if (!(thrown instanceof KeepError)) {
      // The engine's own troubles are told by whoever waits for the trace.
      engineError(thrown);
      return;
    }
    tell(context, {
      tone: "note",
      kind: "keep",
      text: `“${name}” is open, but it cannot be kept for the next time: ${whyNot(thrown, bytes)}`,
    });
  }
  await loadKept(context);
}

/** The file that a link named was imported, and holds something else. */
function tellIfAnother(context: Context, name: string, hash: string): void {
  const { expected } = context;
  context.expected = undefined;
  if (expected === undefined || expected === hash) return;
  tell(context, {
    tone: "note",
    kind: "link",
    text: `“${name}” is not the trace of the link, which has the same name: their contents differ, so the link's access shows something else here.`,
  });
}

/** Opens a trace that is kept; if it cannot be, the current one stays. */
export function openKept(context: Context, hash: string): Promise<void> {
  clear(context, "find");
  clear(context, "import");
  return guard(
    context,
    async () => {
      const found = await find(context, hash);
      if ("missing" in found) {
        tell(context, {
          tone: "error",
          kind: "import",
          text: `The trace cannot be opened: ${found.missing}`,
        });
        return loadKept(context);
      }
      const { configuration } = context.store.getState();
      if (!configuration) return;
      await openScene(context, {
        source: { kept: found },
        configuration: withWindow(configuration, undefined),
        openAt: "opening",
      });
      const { trace } = context.store.getState();
      if (trace) showScreen(context, { screen: screenOf(trace) });
    },
    { kind: "import" },
  );
}

/** A kept trace, or why there is none, as the end of a sentence. */
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

/** Deletes a kept trace; until another is deleted, it can be put back. */
export async function forget(context: Context, hash: string): Promise<void> {
  await change(context, async () => {
    const found = await context.kept.get(hash);
    await context.kept.remove(hash);
    context.deleted = found;
    set(context, { deleted: found?.trace });
  });
}

/** Puts back the trace that was deleted last. */
export async function putBack(context: Context): Promise<void> {
  const { deleted } = context;
  if (!deleted) return;
  await change(
    context,
    async () => {
      await context.kept.put(deleted.trace, deleted.file);
      forgetDeleted(context);
    },
    "It could not be put back",
  );
}

export async function forgetAll(context: Context): Promise<void> {
  forgetDeleted(context);
  await change(context, () => context.kept.clear());
}

/** What was deleted takes room as long as it can be put back. */
export function forgetDeleted(context: Context): void {
  context.deleted = undefined;
  set(context, { deleted: undefined });
}

async function change(
  context: Context,
  work: () => Promise<void>,
  failed = "It could not be deleted",
): Promise<void> {
  try {
    await work();
    clear(context, "keep");
  } catch (thrown) {
    const why = whyNot(keepError(thrown));
    tell(context, {
      tone: "error",
      kind: "keep",
      text: `${failed}: ${why}`,
    });
  }
  await loadKept(context);
}

const WHY: Readonly<Record<KeepFailure, string>> = {
  "no-room":
    "the browser gives this page no more room. Delete traces under Import.",
  "not-allowed":
    "this browser keeps nothing for this page, as in a private window or where cookies are blocked.",
  newer:
    "a newer version of Pagewalk has changed what is kept here. Reload the page.",
  failed: "",
};

/** The end of a sentence. */
export function whyNot({ why, message }: KeepError, bytes?: number): string {
  if (why === "failed") return `the browser says: ${sentence(message)}`;
  if (why === "no-room" && bytes !== undefined)
    return `it takes ${fileSize(bytes)}, and ${WHY[why]}`;
  return WHY[why];
}

/** Anything else is a mistake of the app and goes on. */
export function keepError(thrown: unknown): KeepError {
  if (thrown instanceof KeepError) return thrown;
  throw thrown;
}

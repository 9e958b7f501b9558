/** Sentences for the user. Each error is told once, here. */
import { EngineError } from "../engine/engine";
import type { Context } from "./context";
import { set } from "./context";
import type { Notice } from "./store";

/** More would cover the pictures; the newest are kept. */
const MOST = 3;

export function tell(
  context: Context,
  notice: Omit<Notice, "id">,
): Notice["id"] {
  const id = context.nextNotice++;
  const others = context.store
    .getState()
    .notices.filter(({ text }) => text !== notice.text);
  set(context, { notices: [...others, { id, ...notice }].slice(-MOST) });
  return id;
}

export function tellError(
  context: Context,
  { code, message, at }: EngineError,
  { before = "", after = "" } = {},
): void {
  tell(context, {
    tone: "error",
    text: before + message + after,
    code,
    ...(at !== undefined && { at }),
  });
}

export function dismiss(context: Context, id: Notice["id"]): void {
  const { notices } = context.store.getState();
  set(context, { notices: notices.filter((notice) => notice.id !== id) });
}

/** An error of the engine, whatever was thrown; anything else is a mistake of the app and goes on. */
export function engineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown;
  throw thrown;
}

/** Sentences for the user. Each error is told once, here. */
import { EngineError } from "../engine/engine";
import { placed } from "../model/shared/place";
import type { Context } from "./context";
import { set } from "./context";
import type { Notice, NoticeKind } from "./store";

/** More would cover the pictures; the newest are kept. */
const MOST = 3;

export function tell(
  context: Context,
  notice: Omit<Notice, "id">,
): Notice["id"] {
  const id = context.nextNotice++;
  const others = context.store
    .getState()
    .notices.filter(
      ({ text, kind }) =>
        text !== notice.text && !(kind !== undefined && kind === notice.kind),
    );
  set(context, { notices: [...others, { id, ...notice }].slice(-MOST) });
  return id;
}

export interface Around {
  readonly before?: string;
  /** Sentences that follow. */
  readonly after?: string;
  readonly kind?: NoticeKind | undefined;
}

export function tellError(
  context: Context,
  { code, message, at }: EngineError,
  { before = "", after = "", kind }: Around = {},
): void {
  tell(context, {
    tone: "error",
    text: `${before}${after === "" ? placed(message, at) : sentence(placed(message, at))}${after}`,
    code,
    ...(kind !== undefined && { kind }),
    ...(at !== undefined && { at }),
  });
}

export function dismiss(context: Context, id: Notice["id"]): void {
  const { notices } = context.store.getState();
  set(context, { notices: notices.filter((notice) => notice.id !== id) });
}

/** Ends with a full stop, so that another sentence can follow. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Takes back what is not true or not wanted any more. */
export function clear(context: Context, kind: NoticeKind): void {
  const { notices } = context.store.getState();
  const others = notices.filter((notice) => notice.kind !== kind);
  if (others.length < notices.length) set(context, { notices: others });
}

/** An error of the engine, whatever was thrown; anything else is a mistake of the app and goes on. */
export function engineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown;
  throw thrown;
}

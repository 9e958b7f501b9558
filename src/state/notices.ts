/** Notices for the user. Each error is reported once, here. */
import { EngineError } from "../engine/engine";
import { isMissingPart, MISSING_PART } from "../model/shared/missingPart";
import { withRemedy } from "../model/import/formats";
import { placed } from "../model/shared/place";
import type { Context } from "./context";
import { set } from "./context";
import type { Notice, NoticeKind } from "./store";
import { messageOf } from "../model/shared/messageOf";

/** More would cover the pictures, so only the newest stay. */
const MOST = 3;

export function notify(
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
  /** Further sentences. */
  readonly after?: string;
  readonly kind?: NoticeKind | undefined;
}

export function notifyError(
  context: Context,
  { code, message, at, remedy }: EngineError,
  { before = "", after = "", kind }: Around = {},
): void {
  const text = placed(withRemedy(message, remedy), at);
  notify(context, {
    tone: "error",
    text: `${before}${after === "" ? text : sentence(text)}${after}`,
    code,
    ...(kind !== undefined && { kind }),
    ...(at !== undefined && { at }),
  });
}

/** A bug of the app, or a part of it that is no longer on the host. */
export function notifyUnexpected(
  context: Context,
  thrown: unknown,
  before = "",
): void {
  notify(context, { tone: "error", text: unexpected(thrown, before) });
}

export function unexpected(thrown: unknown, before = ""): string {
  if (isMissingPart(thrown)) return MISSING_PART;
  const why = messageOf(thrown);
  return `${before}${sentence(why)} This is a bug of Pagewalk.`;
}

export function dismiss(context: Context, id: Notice["id"]): void {
  const { notices } = context.store.getState();
  set(context, { notices: notices.filter((notice) => notice.id !== id) });
}

/** Adds a full stop, so that another sentence can follow. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Removes notices that are out of date. */
export function clear(context: Context, kind: NoticeKind): void {
  const { notices } = context.store.getState();
  const others = notices.filter((notice) => notice.kind !== kind);
  if (others.length < notices.length) set(context, { notices: others });
}

/** Shows an engine error, whatever was thrown; any other error is a bug of the app and is thrown again. */
export function engineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown;
  throw thrown;
}

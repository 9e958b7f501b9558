import type { Place } from "../engine/generated/Place";
import { count } from "../model/format";
import { webWords } from "../model/traceText";
import type { Notice } from "../state/store";

/** Where in a file or a configuration something is: `at line 12`. */
export function placeText(at: Place): string {
  if ("line" in at) return `at line ${count(at.line)}`;
  if ("byte" in at) return `at byte ${count(at.byte)}`;
  return at.field === "" ? "" : `at \`${at.field}\``;
}

/** What went wrong, and where. */
export function noticeText({ text, at }: Pick<Notice, "text" | "at">): string {
  const place = at ? placeText(at) : "";
  const said = webWords(text);
  return place === "" ? said : `${said.replace(/\.$/, "")} (${place}).`;
}

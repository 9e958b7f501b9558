/** The place of an error, in words after its message. */
import type { Place } from "../../engine/generated/Place";
import { count } from "./format";

/** A message with its place: `… (at line 12)`. */
export function placed(message: string, at: Place | undefined): string {
  const place = at ? placeText(at) : "";
  if (place === "") return message;
  const end = message.endsWith(".") ? "." : "";
  return `${message.replace(/\.$/, "")} (${place})${end}`;
}

function placeText(at: Place): string {
  if ("line" in at) return `at line ${count(at.line)}`;
  if ("byte" in at) return `at byte ${count(at.byte)}`;
  return at.field === "" ? "" : `at \`${at.field}\``;
}

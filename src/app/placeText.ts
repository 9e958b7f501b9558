import type { Place } from "../engine/generated/Place";
import { count } from "../model/format";

/** Where in a file or a configuration something is: `line 12`. */
export function placeText(at: Place): string {
  if ("line" in at) return `line ${count(at.line)}`;
  if ("byte" in at) return `byte ${count(at.byte)}`;
  return at.field;
}

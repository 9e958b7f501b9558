/** How a program is compiled, as a word of its link. A first visit loads this, and no more of the screen Code. */
import type { Build } from "./build";

/** `c-O1`, or `cpp-O2-fetches 3 words`: the language, the level, whether there are fetches, and the arguments, for a link. */
export function writeBuild({ language, level, args, fetches }: Build): string {
  const short = language === "c" ? "c" : "cpp";
  return `${short}-O${level}${fetches ? "-fetches" : ""} ${args}`.trim();
}

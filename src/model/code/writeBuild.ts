/** How a program is compiled, as a word of its link. A first visit loads this, and no more of the screen Code. */
import type { Build } from "./build";

/** `c-O1`, or `cpp-O2 3 words`: the language, the level and the arguments, for a link. */
export function writeBuild({ language, level, args }: Build): string {
  return `${language === "c" ? "c" : "cpp"}-O${level} ${args}`.trim();
}

/** C++ has no exceptions here. Says so before the compiler refuses them. */
import type { CodeLanguage } from "./build";

const WORDS = /\b(?:try\s*\{|throw\b|catch\s*\()/;
const COMMENTS_AND_TEXTS = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"/g;

export function exceptionsHint(
  language: CodeLanguage,
  text: string,
): string | undefined {
  if (language !== "c++" || !WORDS.test(text.replace(COMMENTS_AND_TEXTS, "")))
    return undefined;
  return "C++ has no exceptions here: the compiler does not take try, catch and throw. Return an error, or call abort().";
}

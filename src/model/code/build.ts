/** How a program in C or C++ is compiled and called. */
import type { Language, Level } from "./program";
import { LEVELS } from "./program";

export interface Build {
  readonly language: Language;
  readonly level: Level;
  /** The arguments of the program, as one types them in a shell. */
  readonly args: string;
  /** Whether the trace gets estimated fetches; missing if not. */
  readonly fetches?: true | undefined;
}

/** The languages of the picker. */
export type CodeLanguage = "javascript" | Language;

export const LANGUAGE_WORDS: Readonly<Record<CodeLanguage, string>> = {
  javascript: "JavaScript",
  c: "C",
  "c++": "C++",
};

export const EXTENSIONS: Readonly<Record<CodeLanguage, string>> = {
  javascript: "js",
  c: "c",
  "c++": "cpp",
};

export const FIRST_BUILD: Build = { language: "c", level: "1", args: "" };

export function languageOf(build: Build | undefined): CodeLanguage {
  return build?.language ?? "javascript";
}

/** The language of a file by its name; `undefined` if it is none of the three. */
export function languageOfFile(name: string): CodeLanguage | undefined {
  const [, end = ""] = /\.([a-z+]+)$/i.exec(name) ?? [];
  if (end === "js" || end === "mjs") return "javascript";
  if (end === "c") return "c";
  return /^(cpp|cc|cxx|c\+\+|C)$/.test(end) ? "c++" : undefined;
}

/** The arguments of a program: words between spaces, or in quotes. */
export function splitArgs(args: string): readonly string[] {
  const words = args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

/** Reads what `writeBuild` writes. Throws an `Error` whose message is the end of a sentence. */
export function readBuild(words: string): Build {
  const [, language, digit, fetches, args = ""] =
    /^(c|cpp)-O(\d)(-fetches)?(?: (.*))?$/.exec(words) ?? [];
  const level = LEVELS.find((each) => each === digit);
  if (language === undefined || level === undefined)
    throw new Error(
      `“build” must be a language and a level such as c-O1 or cpp-O2, not “${words.slice(0, 40)}”.`,
    );
  return {
    language: language === "c" ? "c" : "c++",
    level,
    args,
    ...(fetches !== undefined && { fetches: true }),
  };
}

export function sameBuild(
  one: Build | undefined,
  other: Build | undefined,
): boolean {
  return (
    one?.language === other?.language &&
    one?.level === other?.level &&
    (one?.args ?? "") === (other?.args ?? "") &&
    one?.fetches === other?.fetches
  );
}

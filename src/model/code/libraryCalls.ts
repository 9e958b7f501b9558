/** Calls of libraries by the program's own lines: what their accesses and their heap blocks are called. */
import type { ProgramAbout } from "./about";

type Sites = Pick<ProgramAbout, "sites" | "places" | "functions">;

/** A call of a library. */
export interface LibraryCall {
  /** The place of the call in the code. */
  readonly at: number;
  readonly line: number;
  /** `malloc`, `vector`: the class if it has one, or else the function. */
  readonly what: string;
}

export function libraryCalls({
  sites,
  places,
  functions,
}: Sites): readonly LibraryCall[] {
  return sites.flatMap(([kind, , callee, at], site) => {
    const line = places[site]?.[1] ?? 0;
    if (kind !== "enter" || line === 0) return [];
    return [
      { at, line, what: shortName(functions[callee]?.name ?? "a library") },
    ];
  });
}

/** The name of a call path: `malloc, called in line 10`. */
export function callName({ what, line }: LibraryCall): string {
  return `${what}, called in line ${line}`;
}

/** The names of all paths, with their calls. */
export function callsByName(
  about: Sites,
): ReadonlyMap<string, Pick<LibraryCall, "line" | "what">> {
  return new Map(libraryCalls(about).map((call) => [callName(call), call]));
}

/** The first function of all paths; the importer `code` names it. */
export const PROGRAM = "the program";

const NAMESPACE = /^(std|__\d+|\(anonymous namespace\))$/;

/**
 * The class or the function of a C++ name with its types: `vector` of
 * `int* std::__2::vector<int>::__emplace_back_slow_path<int>(int&&)`.
 */
export function shortName(name: string): string {
  const operator = /\boperator (new|delete)\b/.exec(name)?.[1];
  if (operator !== undefined) return operator;
  const parts = withoutTypes(name).split("::");
  const own = parts.at(-1) ?? "";
  const owner = parts.at(-2);
  const isClass = owner !== undefined && !NAMESPACE.test(owner);
  return (isClass ? owner : own).replace(/^_+/, "") || name;
}

/** Leaves out the arguments, the types in angle brackets, the tags in square brackets and the type of the result. */
function withoutTypes(name: string): string {
  let depth = 0;
  let plain = "";
  const text = name.replace("(anonymous namespace)", "");
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    const isCall = plain.endsWith("operator") && text.startsWith("()", at);
    if (letter === "(" && depth === 0 && !isCall) break;
    if (letter === "<" || letter === "[") depth += 1;
    if (depth === 0) plain += letter;
    if (letter === ">" || letter === "]") depth = Math.max(0, depth - 1);
  }
  return plain.trim().split(" ").at(-1) ?? plain;
}

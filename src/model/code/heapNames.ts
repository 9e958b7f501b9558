/** Names of heap blocks, by the call that allocates them. */
import type { ProgramAbout } from "./about";
import { libraryCalls } from "./libraryCalls";

const ALLOCATORS: readonly string[] = [
  "malloc",
  "calloc",
  "realloc",
  "aligned",
];

type Calls = Pick<ProgramAbout, "sites" | "places" | "names" | "functions">;

/**
 * Names what each call of an allocator or of a library makes: `table (malloc, line 12)`, `w (vector, line 9)`, or
 * `push (malloc, line 14)` by its function if the line names no variable.
 */
export function heapNames(
  about: Calls,
  lines: readonly string[],
): readonly (readonly [number, string])[] {
  const { sites, places, names } = about;
  const calls = new Map(libraryCalls(about).map((call) => [call.at, call]));
  const named = sites.flatMap(([kind, , , at], site) => {
    const call = calls.get(at);
    const isCall = kind === "enter" && call !== undefined;
    if (!isCall && !ALLOCATORS.includes(kind)) return [];
    const [, line, name] = places[site] ?? [-1, 0, -1];
    const text = lines[line - 1] ?? "";
    // The compiler may put a container's own code into the line: then it is the container that calls `operator new`.
    const isInside = call?.what === "new" && !/\bnew\b/.test(text);
    const container = isInside ? CONTAINER.exec(text)?.[0] : undefined;
    const variable =
      assigned(text) ?? (isCall || isInside ? filled(text) : undefined);
    const what = variable ?? names[name] ?? "block";
    const own = isCall || call?.what === "new" ? call.what : kind;
    const by = container ?? own;
    const where = line > 0 ? `${by}, line ${line}` : by;
    return [[at, `${what} (${where})`] as const];
  });
  // An allocator that own code calls is named once, by its kind.
  return [...new Map(named)];
}

const CONTAINER = /\b(?:vector|deque|list|map|set|string|unordered_\w+)\b/;
/** A container, and the variable that a line declares as one. */
const DECLARED = new RegExp(
  String.raw`${CONTAINER.source}.*?[>\s]\s*(\w+)\s*[({;=]`,
);

/** The container that a line of C++ declares or fills. */
function filled(line: string): string | undefined {
  const found =
    /([\w.>-]+?)(?:\.|->)\w+\s*\(/.exec(line) ??
    DECLARED.exec(line) ??
    /(\w+)(?:\[[^\]]*\])?\s*=[^=]/.exec(line);
  return found?.[1];
}

/** The variable or field that a line assigns an allocated block to. */
function assigned(line: string): string | undefined {
  return /([\w.>-]+(?:\[[^\]]*\])?)\s*=\s*(?:\([^()]*\)\s*)?(?:\w*alloc|new)\b/.exec(
    line,
  )?.[1];
}

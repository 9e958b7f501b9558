/** What the instrumentation tells about a program, as JSON. */
export interface ProgramAbout {
  readonly memory: {
    readonly stack: readonly [string, string];
    /** The end of the data that have values when the program starts. */
    readonly data: string;
    readonly heap: string;
    readonly size: string;
    readonly code: string;
  };
  readonly functions: readonly Named[];
  readonly globals: readonly (Named & { readonly type: string })[];
  /** The kind, the size, the constant offset and the place in the code of each site. */
  readonly sites: readonly (readonly [string, number, number, number])[];
  /** For each block the index of its first site, and at the end the number of sites. */
  readonly blocks: readonly number[];
  /** The file, the line and the function of each site: −1 and line 0 for what is not known. */
  readonly places: readonly (readonly [number, number, number])[];
  readonly files: readonly string[];
  readonly names: readonly string[];
  readonly hasLines: boolean;
}

interface Named {
  readonly name: string;
  readonly start: string;
  readonly end: string;
}

const ALLOCATORS: readonly string[] = [
  "malloc",
  "calloc",
  "realloc",
  "aligned",
];

/**
 * Names what each call of an allocator makes: `table (malloc, line 12)`, or `push (malloc, line 14)` by its function
 * if the line assigns it to no variable.
 */
export function heapNames(
  { sites, places, names }: Pick<ProgramAbout, "sites" | "places" | "names">,
  lines: readonly string[],
): readonly (readonly [number, string])[] {
  return sites.flatMap(([kind, , , at], site) => {
    if (!ALLOCATORS.includes(kind)) return [];
    const [, line, name] = places[site] ?? [-1, 0, -1];
    const variable = assigned(lines[line - 1] ?? "");
    const what = variable ?? names[name] ?? "block";
    const where = line > 0 ? `${kind}, line ${line}` : kind;
    return [[at, `${what} (${where})`] as const];
  });
}

/** The variable or field that a line assigns an allocated block to. */
function assigned(line: string): string | undefined {
  return /([\w.>-]+(?:\[[^\]]*\])?)\s*=\s*(?:\([^()]*\)\s*)?(?:\w*alloc|new)\b/.exec(
    line,
  )?.[1];
}

/** The name of a global with its dimensions as the source has them: `b[N][N]`. */
export function withDimensions(name: string, lines: readonly string[]): string {
  if (!/^\w+$/.test(name)) return name;
  // A declaration has a type before the name, and no call or assignment there.
  const declared = new RegExp(
    `^\\s*\\w[^=();]*[\\s*]${name}((?:\\[[^\\]]*\\])+)\\s*(?:[;=,]|__attribute__)`,
  );
  for (const line of lines) {
    const found = declared.exec(line)?.[1];
    if (found !== undefined) return `${name}${found}`;
  }
  return name;
}

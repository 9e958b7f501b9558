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
  /**
   * The kind, the size, the constant offset and the place in the code of each site. The call of a library (`enter`) has
   * the number of the function in place of the offset.
   */
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

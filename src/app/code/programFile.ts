/** The accesses of a program in the file format of the core's importer `code`. */
import { withDimensions } from "../../model/code/about";
import { heapNames } from "../../model/code/heapNames";
import type { ProgramAbout } from "../../model/code/about";
import { callName, libraryCalls } from "../../model/code/libraryCalls";

export interface ProgramRecords {
  readonly about: ProgramAbout;
  /** The lines of the program's own file, for the names of heap blocks and the texts beside the lines. */
  readonly lines: readonly string[];
  readonly chunks: readonly Uint32Array<ArrayBuffer>[];
  /** Whether the trace gets estimated fetches. */
  readonly fetches: boolean;
}

export function programFile(program: ProgramRecords): Blob {
  return new Blob([fileHead(program), ...program.chunks]);
}

/** What a file has before its records. */
export function fileHead({
  about,
  lines,
  fetches,
}: Omit<ProgramRecords, "chunks">): Uint8Array<ArrayBuffer> {
  const { memory, functions, globals, sites, blocks, places } = about;
  const head = new TextEncoder().encode(
    JSON.stringify({
      memory,
      functions: functions.map(asWritten),
      globals: globals.map(({ name, start, end }) => ({
        name: withDimensions(name, lines),
        start,
        end,
      })),
      sites,
      blocks,
      heap: heapNames(about, lines),
      calls: libraryCalls(about).map((call) => [call.at, callName(call)]),
      files: about.files,
      names: about.names,
      places,
      lines: usedLines(about, lines),
      fetches,
    }),
  );
  const magic = new TextEncoder().encode("PWCODE1\n");
  const whole = new Uint8Array(magic.length + 4 + head.length);
  whole.set(magic);
  new DataView(whole.buffer).setUint32(magic.length, head.length, true);
  whole.set(head, magic.length + 4);
  return whole;
}

/** The name that a function has in the program: the system calls `main` by a name of its own. */
function asWritten<T extends { readonly name: string }>(named: T): T {
  return named.name === "__original_main" ? { ...named, name: "main" } : named;
}

/** The file, the number and the text of each line of the program's own file that has a site. */
export function usedLines(
  { names, places }: Pick<ProgramAbout, "names" | "places">,
  lines: readonly string[],
): readonly (readonly [number, number, string])[] {
  const own = ownFile({ names, places });
  const used = new Set(
    places.flatMap(([file, line]) => (file === own && line > 0 ? [line] : [])),
  );
  return [...used].flatMap((line) => {
    const text = lines[line - 1]?.trim() ?? "";
    return text === "" ? [] : [[own, line, text] as const];
  });
}

/** The file of `main`; the others are libraries. */
function ownFile({
  names,
  places,
}: Pick<ProgramAbout, "names" | "places">): number {
  const main = names.indexOf("main");
  const isKnown = ([file]: readonly [number, number, number]) => file >= 0;
  const known = places.filter(isKnown);
  return (known.find(([, , name]) => name === main) ?? known[0])?.[0] ?? -1;
}

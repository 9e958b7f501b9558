/** Finds the line on which an instrumented program stopped. */
import type { ProgramAbout } from "./about";

type Known = Pick<ProgramAbout, "sites" | "places" | "functions" | "moved">;

/**
 * `frames` are places in the instrumented module, the innermost first; `code` is where the code begins in the original one.
 * The line is that of the last access before such a place in its function, or else of the first one after it.
 */
export function lineOfTrap(
  about: Known,
  frames: readonly number[],
  code: number,
): number | undefined {
  for (const frame of frames) {
    const line = lineAt(about, originalOf(about, frame) - code);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Of an instruction that was added, it is the one before. */
function originalOf({ moved }: Known, at: number): number {
  const next = moved.findIndex(([place]) => place > at);
  const [place, original] = moved.at(next < 0 ? -1 : next - 1) ?? [at, at];
  const limit = next < 0 ? Infinity : (moved[next]?.[1] ?? Infinity);
  return Math.min(original + at - place, Math.max(limit, original));
}

function lineAt(
  { sites, places, functions }: Known,
  at: number,
): number | undefined {
  const isAround = ({ start, end }: { start: string; end: string }) =>
    Number(start) <= at && at < Number(end);
  const around = functions.find(isAround);
  if (!around) return undefined;
  const inside = sites
    .map(([, , , place], site) => ({ place, line: places[site]?.[1] ?? 0 }))
    .filter(
      ({ place, line }) =>
        line > 0 && Number(around.start) <= place && place < Number(around.end),
    );
  const before = inside.findLast(({ place }) => place <= at);
  return (before ?? inside[0])?.line;
}

/** Returns where the code of a module begins: after the head of section 10. */
export function codeStart(wasm: Uint8Array): number {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; at < wasm.length; shift += 7) {
      const byte = wasm[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < wasm.length) {
    const section = wasm[at++];
    const size = number();
    if (section === 10) return at;
    at += size;
  }
  return 0;
}

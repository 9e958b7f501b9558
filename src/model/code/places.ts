/** Places in programs of different lengths: shares of the program, accesses, and elements of arrays. */
import type { AccessView } from "../../engine/generated/AccessView";
import { count } from "../shared/format";
import type { AccessIndex, Share } from "../shared/units";
import type { ProgramAbout } from "./about";
import type { ProgramArray } from "./code";
import { lineFinder } from "./lines";

/** The access at a share of a program with `n` accesses. */
export function accessAt(share: Share, n: number): AccessIndex {
  return Math.max(0, Math.min(n - 1, Math.floor(share * n)));
}

/** The middle of an access as a share, so that `accessAt` returns this access again. */
export function shareOf(access: AccessIndex, n: number): Share {
  return n > 0 ? Math.max(0, Math.min(1, (access + 0.5) / n)) : 0;
}

/** The fewest accesses of a timeline. */
const LEAST = 16;

/** The accesses of a part of a program; `to` is exclusive. */
export function spanAt(
  span: { readonly from: Share; readonly to: Share },
  n: number,
): { readonly from: AccessIndex; readonly to: AccessIndex } {
  const from = Math.max(0, Math.min(Math.round(span.from * n), n - LEAST));
  return {
    from,
    to: Math.min(n, Math.max(Math.round(span.to * n), from + LEAST)),
  };
}

/** `line 8 loads m[12,288]`; without the line or the element if they are not known. */
export function programAccess(
  { kind, address, ip }: AccessView,
  arrays: readonly ProgramArray[],
  about?: ProgramAbout,
): string {
  const line = ip === null ? 0 : lineFinder(about)(BigInt(ip));
  const who = line > 0 ? `line ${line}` : "it";
  if (kind === "fetch") return `${who} fetches ${address}`;
  const at = Number(address);
  const array = arrays.find(
    ({ start, length, size }) => at >= start && at < start + length * size,
  );
  const place = array
    ? `${array.name}[${count(Math.floor((at - array.start) / array.size))}]`
    : ((about && globalAt(Number(BigInt(address) & 0xffffffffn), about)) ??
      address);
  const verb = kind === "store" ? "stores" : "loads";
  return `${who} ${verb} ${place}`;
}

/** `particles + 0x40`: a byte of a global variable, by its address in the linear memory. */
function globalAt(at: number, { globals }: ProgramAbout): string | undefined {
  const found = globals.find(
    ({ start, end }) => at >= Number(start) && at < Number(end),
  );
  if (!found) return undefined;
  const from = at - Number(found.start);
  return from === 0 ? found.name : `${found.name} + 0x${from.toString(16)}`;
}

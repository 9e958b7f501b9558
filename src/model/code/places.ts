/** Places in programs of different lengths: shares of the program, accesses, and elements of arrays. */
import type { AccessView } from "../../engine/generated/AccessView";
import { count } from "../shared/format";
import type { AccessIndex, Share } from "../shared/units";
import type { ProgramArray } from "./code";

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
): string {
  const at = Number(address);
  const array = arrays.find(
    ({ start, length, size }) => at >= start && at < start + length * size,
  );
  const place = array
    ? `${array.name}[${count(Math.floor((at - array.start) / array.size))}]`
    : address;
  const verb = kind === "store" ? "stores" : "loads";
  const line = ip === null ? 0 : (Number(ip) - LINES) / PAGE;
  return line > 0 ? `line ${line} ${verb} ${place}` : `it ${verb} ${place}`;
}

/** The importer gives each line of the code a page from this address on. */
const LINES = 0x400000;
const PAGE = 4096;

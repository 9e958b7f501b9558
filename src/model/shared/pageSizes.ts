/** Page sizes as text, `4K`, and as bytes. */
import type { PageSize } from "../../engine/generated/PageSize";
import { pageSize } from "./format";
import type { Bytes, PageShift } from "./units";

/** The bytes of a page size: `2M` is 2 × 1024². */
export function bytesOf(size: PageSize): Bytes {
  const unit = "KMGT".indexOf(size.slice(-1)) + 1;
  return Number.parseInt(size, 10) * 1024 ** unit;
}

/** A page size in a sentence: `4K`, `64 B`. */
export function sizeWords(size: PageSize): string {
  return /^\d+$/.test(size) ? `${size} B` : size;
}

/** The same from a shift: 6 is `64 B`, 12 `4K`. */
export function sizeOfShift(shift: PageShift): string {
  return sizeWords(pageSize(shift));
}

/** Page sizes as text, `4K`, and as bytes. */
import type { PageSize } from "../../engine/generated/PageSize";
import type { Bytes } from "./units";

/** The bytes of a page size: `2M` is 2 × 1024². */
export function bytesOf(size: PageSize): Bytes {
  const unit = "KMGT".indexOf(size.slice(-1)) + 1;
  return Number.parseInt(size, 10) * 1024 ** unit;
}

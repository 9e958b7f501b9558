import { setupOf, usualRight } from "../../model/compare/sides";
import type { Configuration } from "../config/configurations";
import type { AppState } from "../store";

/** The right machine, as the user chose it or the default; `undefined` before the left one is known. */
export function rightOf(
  state: Pick<AppState, "cpus" | "configuration" | "compare">,
): Configuration | undefined {
  const { cpus, configuration: left, compare } = state;
  if (!left || cpus.length === 0) return undefined;
  const side = compare.right ?? usualRight(cpus, left);
  return setupOf(cpus, side, left) ?? setupOf(cpus, { cpu: left.cpu }, left);
}

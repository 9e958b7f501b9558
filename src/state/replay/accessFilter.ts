/** The accesses of a row, for the engine. */
import type { AccessFilter } from "../../engine/engine";
import type { AttributionFilter } from "../../model/attribution/rows";

/** The engine's part of a filter. The name of a line or of a data structure says which one it is. */
export function accessFilter(
  filter: AttributionFilter | undefined,
): AccessFilter | undefined {
  if (!filter) return undefined;
  const { by, start, end, label, path = [] } = filter;
  if (by === "object") return { by, name: label };
  if (by === "calls") return { by, path };
  if (by !== "line") return { by, start, end };
  const colon = label.lastIndexOf(":");
  const line = Number(label.slice(colon + 1));
  return { by, file: label.slice(0, colon), line };
}

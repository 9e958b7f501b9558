import { COMPRESSED } from "../../engine/generated/formats";
import { EXTENSIONS } from "./formats";

/** The trace's name as the beginning of a file name. */
export function exportStem(name: string): string {
  const ending = (of: readonly string[]) =>
    new RegExp(`\\.(${of.join("|")})$`, "i");
  const stem = name
    .replace(ending(COMPRESSED), "")
    .replace(ending(EXTENSIONS), "")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return stem === "" ? "trace" : stem;
}

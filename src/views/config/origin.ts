/** Where the numbers of a CPU model come from. */
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { Provenance } from "../../engine/generated/Provenance";

/** The source of a path, or of the object around it: the source of `l1[0]` also covers `l1[0].entries`. */
export function originOf(
  { provenance }: Pick<CpuModel, "provenance">,
  path: string,
): Provenance | undefined {
  for (let at = path; at !== ""; at = parentOf(at)) {
    const found = provenance.find((entry) => entry.path === at);
    if (found) return found;
  }
  return undefined;
}

function parentOf(path: string): string {
  return path.replace(/(?:^|\.)[^.[\]]+$|\[\d+\]$/, "");
}

const MEANING: Readonly<Record<Provenance["confidence"], string>> = {
  documented: "published by the vendor, or by the book of a small machine",
  "reverse-engineered": "measured by researchers",
  inferred: "read by this project from raw data that others published",
  reported: "repeated by a third party",
  assumed: "no source found; a guess",
};

/** Returns, for example, `Documented: published by the vendor.` */
export function confidenceSentence({ confidence }: Provenance): string {
  const word = confidence.charAt(0).toUpperCase() + confidence.slice(1);
  return `${word}: ${MEANING[confidence]}.`;
}

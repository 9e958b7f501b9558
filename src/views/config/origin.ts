/** Where the numbers of a CPU model come from. */
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { Provenance } from "../../engine/generated/Provenance";

/** The entry for a path, or for what it is a part of: `l1[0]` speaks for `l1[0].entries`. */
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
  documented: "the vendor says so",
  "reverse-engineered": "measured by researchers",
  reported: "repeated by a third party",
  assumed: "nothing was found; a guess",
};

/** `Documented: the vendor says so.` */
export function confidenceSentence({ confidence }: Provenance): string {
  const word = confidence.charAt(0).toUpperCase() + confidence.slice(1);
  return `${word}: ${MEANING[confidence]}.`;
}

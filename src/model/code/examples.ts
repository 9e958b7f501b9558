/** The examples of all languages: what to compare them with, and what to see. */
import { same } from "../shared/mergePatch";
import { sameBuild } from "./build";
import type { LineQuantity } from "./lines";
import type { CodeHome, ProgramShown, ProgramText } from "./code";
import { PROGRAM_EXAMPLES, PROGRAM_PAIRS } from "./programExamples";
import { SCRIPT_EXAMPLES, SCRIPT_PAIRS } from "./scriptExamples";
import type { CodeExample, CodePair } from "./scriptExamples";

export const EXAMPLES: readonly CodeExample[] = [
  ...SCRIPT_EXAMPLES,
  ...PROGRAM_EXAMPLES,
];

export const PAIRS: readonly CodePair[] = [...SCRIPT_PAIRS, ...PROGRAM_PAIRS];

function isExample(
  example: ProgramText,
  { code, build }: Pick<ProgramText, "code" | "build">,
): boolean {
  return example.code === code && sameBuild(example.build, build);
}

/** The example to compare an example with. */
export function partnerOf(
  program: Pick<ProgramText, "code" | "build">,
): CodeExample | undefined {
  for (const { programs } of PAIRS) {
    const at = programs.findIndex((each) => isExample(each, program));
    if (at >= 0) return programs[1 - at];
  }
  return undefined;
}

/** The count beside the lines that the sentence of an example is about. */
export function countOf(
  program: Pick<ProgramText, "code" | "build">,
): LineQuantity {
  const example = EXAMPLES.find((each) => isExample(each, program));
  return example?.count ?? "walks";
}

/** What to see in one run, or in two that are compared, if they ran where the text is true. */
export function whatToSee(
  runs: readonly Pick<ProgramShown, "code" | "build" | "setup">[],
  home: CodeHome | undefined,
): string | undefined {
  const isThere = ({ setup: { machine, os } }: Pick<ProgramShown, "setup">) =>
    home && same(machine, home.machine) && same(os, home.os);
  const [first, second] = runs;
  if (!first || !runs.every(isThere)) return undefined;
  if (!second) return EXAMPLES.find((each) => isExample(each, first))?.see;
  return PAIRS.find(
    ({ programs: [one, other] }) =>
      isExample(one, first) && isExample(other, second),
  )?.see;
}

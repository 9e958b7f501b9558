/** The examples of all languages: and what to compare them with. */
import { languageOf } from "./build";
import type { LineQuantity } from "./lines";
import { programName } from "./code";
import type { ProgramText } from "./code";
import { definesOf, withValue } from "./defines";
import { PROGRAM_EXAMPLES, PROGRAM_PAIRS } from "./programExamples";
import { SCRIPT_EXAMPLES, SCRIPT_PAIRS } from "./scriptExamples";
import type { CodeExample, CodePair } from "./scriptExamples";

export const EXAMPLES: readonly CodeExample[] = [
  ...SCRIPT_EXAMPLES,
  ...PROGRAM_EXAMPLES,
];

export const PAIRS: readonly CodePair[] = [...SCRIPT_PAIRS, ...PROGRAM_PAIRS];

type Text = Pick<ProgramText, "code" | "build"> & Partial<ProgramText>;

/**
 * The example that a program is, or was before its sliders, its arguments or some of its lines were changed;
 * `undefined` if it is another program.
 */
export function exampleOf({
  code,
  build,
  name,
}: Text): CodeExample | undefined {
  const here = EXAMPLES.filter(
    (each) => languageOf(each.build) === languageOf(build),
  );
  const plain = withoutSliders(code);
  const isNamed = (each: CodeExample) => each.name === name;
  const same = here.filter((each) => withoutSliders(each.code) === plain);
  return (
    here.find((each) => each.code === code) ??
    same.find(isNamed) ??
    same[0] ??
    here.find((each) => isNamed(each) && sharesLines(each.code, code))
  );
}

/** The name of an example goes with its text: another text is another program. */
export function withOwnName(
  program: ProgramText,
  part: Partial<ProgramText>,
): Partial<ProgramText> {
  if (part.name !== undefined || part.code === undefined) return part;
  const isItsName = exampleOf(program)?.name === program.name;
  const isExample = exampleOf({ ...program, ...part }) !== undefined;
  return isItsName && !isExample ? { ...part, name: programName("") } : part;
}

/** The code without the values of its sliders. */
function withoutSliders(code: string): string {
  return definesOf(code)
    .filter(({ range }) => range)
    .reduceRight(
      (rest, { from, to }) => rest.slice(0, from) + rest.slice(to),
      code,
    );
}

/** Whether a program has at least half of an example's lines. */
function sharesLines(example: string, code: string): boolean {
  const linesOf = (text: string) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length > 1);
  const own = new Set(linesOf(code));
  const lines = linesOf(example);
  return 2 * lines.filter((line) => own.has(line)).length >= lines.length;
}

/** The example to compare an example with. It takes over the sliders that both have. */
export function partnerOf(program: Text): CodeExample | undefined {
  const example = exampleOf(program);
  for (const { programs } of PAIRS) {
    const at = programs.findIndex(({ id }) => id === example?.id);
    const partner = programs[1 - at];
    if (example && partner && at >= 0)
      return { ...partner, code: withSliders(partner, example, program.code) };
  }
  return undefined;
}

/** The code of a partner with the values that sliders have changed in a program, if both examples had the same. */
function withSliders(
  partner: CodeExample,
  example: CodeExample,
  code: string,
): string {
  const before = valuesOf(example.code);
  const now = valuesOf(code);
  return definesOf(partner.code).reduceRight((text, define) => {
    const value = now.get(define.name);
    const isShared = before.get(define.name) === define.value;
    return value !== undefined && isShared
      ? withValue(text, define, value)
      : text;
  }, partner.code);
}

function valuesOf(code: string): ReadonlyMap<string, number> {
  return new Map(definesOf(code).map(({ name, value }) => [name, value]));
}

/** The count beside the lines that the sentence of an example is about. */
export function countOf(program: Text): LineQuantity {
  return exampleOf(program)?.count ?? "walks";
}

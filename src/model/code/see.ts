/** What an example shows, and why its sentence does not hold for a run. */
import { same } from "../shared/mergePatch";
import { count } from "../shared/format";
import { sameBuild } from "./build";
import type { Build } from "./build";
import type { CodeHome, ProgramShown } from "./code";
import { definesOf } from "./defines";
import { EXAMPLES, PAIRS, exampleOf } from "./examples";
import type { CodeExample, CodePair } from "./scriptExamples";

type Run = Pick<ProgramShown, "name" | "code" | "build" | "setup">;

export interface WhatToSee {
  readonly text: string;
  /** Why the text need not hold for the run; missing if it holds. */
  readonly why?: string;
  /** What makes it hold again. */
  readonly remedy?: "restore" | "home";
  /** What is restored. */
  readonly of: CodeExample | CodePair;
}

/** What to see in one run, or in two that are compared; `undefined` if they are no examples. */
export function whatToSee(
  runs: readonly Run[],
  home: CodeHome | undefined,
): WhatToSee | undefined {
  const examples = runs.map(exampleOf);
  const of = found(examples);
  if (!of || !home) return undefined;
  const { see: text } = of;
  const changes = runs.flatMap((run, at) => {
    const example = examples[at];
    return example ? changesOf(run, example) : [];
  });
  const [change] = changes;
  if (change !== undefined)
    return {
      text,
      of,
      why: `This was written for ${change}.`,
      remedy: "restore",
    };
  const isAtHome = runs.every(
    ({ setup: { machine, os } }) =>
      same(machine, home.machine) && same(os, home.os),
  );
  if (isAtHome) return { text, of };
  const why = `This was written for ${home.name} with ${home.os.default} pages.`;
  return { text, of, why, remedy: "home" };
}

function found(
  examples: readonly (CodeExample | undefined)[],
): CodeExample | CodePair | undefined {
  const [one, other] = examples;
  if (examples.length < 2) return EXAMPLES.find(({ id }) => id === one?.id);
  return PAIRS.find(
    ({ programs: [first, second] }) =>
      first.id === one?.id && second.id === other?.id,
  );
}

/** What a run has changed in an example, as the example has it: `ROWS = 2,048`. */
function changesOf(run: Run, example: CodeExample): readonly string[] {
  const values = new Map(
    definesOf(run.code).map(({ name, value }) => [name, value]),
  );
  const changed = definesOf(example.code).filter(
    ({ name, value, range }) => range && values.get(name) !== value,
  );
  const isOther = run.code !== example.code;
  return [
    ...(isOther && changed.length === 0 ? ["the example as it was"] : []),
    ...(isOther && changed.length > 0
      ? [
          changed
            .map(({ name, value }) => `${name} = ${count(value)}`)
            .join(" and "),
        ]
      : []),
    ...(sameBuild(run.build, example.build) ? [] : [buildText(example.build)]),
  ];
}

function buildText(build: Build | undefined): string {
  if (!build) return "JavaScript";
  const { level, args } = build;
  const called = args === "" ? "without arguments" : `with “${args}”`;
  return `-O${level} ${called} and without estimated fetches`;
}

/**
 * The words of a lesson, read from the Markdown of one language. `# ` is the title, with the idea below it. Each `## `
 * is a step: paragraphs, a question after `? `, and what is said about its answers.
 */
import { MISTAKES } from "../../engine/generated/mistakes";
import { isTerm } from "../glossary/terms";
import { object, term } from "../replay/parts";
import type { Part } from "../replay/parts";
import { LessonError } from "./error";
import { markOf, termOf } from "./marks";

export type Words = readonly Part[];

export interface StepText {
  readonly title: string;
  readonly paragraphs: readonly Words[];
  readonly question?: Words;
  readonly hints: readonly Words[];
  readonly right?: Words;
  /** By mistake. */
  readonly wrong: Readonly<Record<string, Words>>;
}

export interface LessonText {
  readonly title: string;
  readonly idea: Words;
  readonly steps: readonly StepText[];
}

/** The lines that are not paragraphs of the text. */
const SPECIAL = /^(\?|hint:|right:|wrong ([a-z-]+):) +/;

/** Reads the words of a lesson. Throws a `LessonError` that names the file, the step and the mark. */
export function readLessonText(file: string, markdown: string): LessonText {
  const [head = "", ...steps] = markdown
    .replaceAll("\r", "")
    .split(/^(?=## )/m);
  const [, title = "", idea = ""] = /^# (.+)\n+([^]*)$/.exec(head.trim()) ?? [];
  if (title === "" || idea === "")
    throw new LessonError(file, "it must begin with “# title” and an idea.");
  return {
    title,
    idea: wordsIn(file, oneLine(idea)),
    steps: steps.map((step, at) => readStep(`${file}, step ${at + 1}`, step)),
  };
}

function readStep(where: string, section: string): StepText {
  const [heading = "", ...lines] = section.split("\n");
  const step = {
    title: heading.slice(3).trim(),
    paragraphs: [] as Words[],
    question: undefined as Words | undefined,
    hints: [] as Words[],
    right: undefined as Words | undefined,
    wrong: {} as Record<string, Words>,
  };
  for (const block of blocksOf(lines)) {
    const [mark = "", kind, mistake] = SPECIAL.exec(block) ?? [];
    const words = wordsIn(where, block.slice(mark.length));
    if (kind === undefined) step.paragraphs.push(words);
    else if (kind === "?") step.question = words;
    else if (kind === "hint:") step.hints.push(words);
    else if (kind === "right:") step.right = words;
    else if (mistake !== undefined)
      step.wrong[knownMistake(where, mistake)] = words;
  }
  const { question, right, ...rest } = step;
  if (!question && (step.hints.length > 0 || right))
    throw new LessonError(where, "it has hints or answers, but no question.");
  return { ...rest, ...(question && { question }), ...(right && { right }) };
}

function knownMistake(where: string, id: string): string {
  if (MISTAKES.some((mistake) => mistake === id)) return id;
  throw new LessonError(
    where,
    `the simulator names no mistake “${id}”; it names ${MISTAKES.join(", ")}.`,
  );
}

/** Paragraphs end at an empty line, and at the next special line. */
function blocksOf(lines: readonly string[]): readonly string[] {
  const blocks: string[] = [];
  let open = "";
  const close = () => {
    if (open !== "") blocks.push(open);
    open = "";
  };
  for (const line of lines.map((each) => each.trim())) {
    if (line === "" || SPECIAL.test(line)) close();
    open = oneLine(`${open} ${line}`);
  }
  close();
  return blocks;
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

const MARK = /\[([^\]]+)\]\(([^)]+)\)/g;

/** Words with marks: `The [offset](offset) stays`. */
function wordsIn(where: string, text: string): Words {
  const words: Part[] = [];
  let end = 0;
  const plain = (to: number) => {
    if (to > end)
      words.push({ kind: "text", text: text.slice(end, to), rank: "main" });
  };
  for (const match of text.matchAll(MARK)) {
    const [whole, named = "", mark = ""] = match;
    plain(match.index);
    words.push(marked(where, named, mark));
    end = match.index + whole.length;
  }
  plain(text.length);
  return words;
}

function marked(where: string, text: string, mark: string): Part {
  if (mark.startsWith("term:")) {
    const id = mark.slice(5);
    if (isTerm(id)) return term(text, id);
    throw new LessonError(where, `the glossary has no card “${id}”.`);
  }
  const named = markOf(mark);
  if (named) return object(text, termOf(named), named);
  throw new LessonError(where, `no picture has a mark “${mark}”.`);
}

/** Puts values into the places of words: `{address}`. Other places stay. */
export function fill(
  words: Words,
  values: Readonly<Record<string, string>>,
): Words {
  return words.map((part) => ({
    ...part,
    text: part.text.replaceAll(
      /\{([^{}]+)\}/g,
      (place, name: string) => values[name] ?? place,
    ),
  }));
}

/** Changes all words of a lesson. */
export function mapWords(
  { title, idea, steps }: LessonText,
  change: (words: Words, step: number) => Words,
): LessonText {
  return {
    title,
    idea: change(idea, 0),
    steps: steps.map((step, at) => {
      const to = (words: Words) => change(words, at + 1);
      const { question, right, wrong } = step;
      return {
        ...step,
        paragraphs: step.paragraphs.map(to),
        hints: step.hints.map(to),
        ...(question && { question: to(question) }),
        ...(right && { right: to(right) }),
        wrong: Object.fromEntries(
          Object.entries(wrong).map(([mistake, words]) => [mistake, to(words)]),
        ),
      };
    }),
  };
}

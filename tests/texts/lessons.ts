/** The lessons in each language, and what a translation must have in common with the English text. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { wordsOf } from "../../src/model/learn/check.ts";
import type { LessonText, StepText } from "../../src/model/learn/text.ts";
import { textOf } from "../../src/model/replay/parts.ts";
import type { Part } from "../../src/model/replay/parts.ts";
import type { Language } from "../../src/model/texts/language.ts";
import type { LessonFile } from "../../src/state/learn/service.ts";

/** The lessons that are in a language. */
export function lessonFiles(language: Language): readonly LessonFile[] {
  return readdirSync("lessons").flatMap((folder) => {
    const file = `lessons/${folder}/${language}.md`;
    if (!existsSync(file)) return [];
    const lesson = readFileSync(`lessons/${folder}/lesson.json`, "utf8");
    return [{ folder, lesson, text: readFileSync(file, "utf8"), language }];
  });
}

/** The lesson that docs/lessons.md contains, file by file. */
export function documentedLesson(): LessonFile {
  const page = readFileSync("docs/lessons.md", "utf8");
  const files = new Map(
    [...page.matchAll(/^`(lessons\/.+)`:\n\n```\w*\n([^]*?)^```$/gm)].map(
      ([, file = "", text = ""]) => [file, text],
    ),
  );
  const folder = [...files.keys()][0]?.split("/")[1] ?? "";
  const of = (name: string) => files.get(`lessons/${folder}/${name}`) ?? "";
  return {
    folder,
    lesson: of("lesson.json"),
    text: of("en.md"),
    language: "en",
  };
}

/** The differences between an English text and its translation, one line each. */
export function differences(
  english: LessonText,
  translated: LessonText,
): readonly string[] {
  if (english.steps.length !== translated.steps.length)
    return [`${translated.steps.length} steps, not ${english.steps.length}`];
  return english.steps.flatMap((step, at) => {
    const other = factsOf(translated.steps[at]);
    return Object.entries(factsOf(step))
      .filter(([what, fact]) => other[what] !== fact)
      .map(
        ([what, fact]) =>
          `step ${at + 1}: ${what} ${other[what] ?? ""}, not ${fact}`,
      );
  });
}

/** What a step has in every language. */
function factsOf(step: StepText | undefined): Readonly<Record<string, string>> {
  if (!step) return {};
  const words = wordsOf(step);
  const text = words.map(textOf).join("\n");
  return {
    marks: listOf(words.flat().flatMap(markOf)),
    numbers: listOf(text.match(/\{[^{}]*\}/g) ?? []),
    questions: step.question ? "1" : "0",
    "places in the question": listOf(
      textOf(step.question ?? []).match(/\{[a-z]+\}/g) ?? [],
    ),
    hints: String(step.hints.length),
    "words after a right answer": step.right ? "1" : "0",
    mistakes: listOf(Object.keys(step.wrong)),
  };
}

const listOf = (items: readonly string[]) =>
  [...new Set(items)].sort().join(" ") || "none";

/** The mark that a noun has in the file. */
function markOf(part: Part): readonly string[] {
  if (part.kind === "object") return part.objects;
  return part.kind === "term" ? [`term:${part.term}`] : [];
}

/** The lessons in one language, and the reader's progress in the browser's storage. Loads with the screen. */
import type { LessonFile } from "../../state/learn/service";
import { remember, stored } from "../browser/stored";

const DATA = import.meta.glob<string>("/lessons/*/lesson.json", {
  eager: true,
  query: "?raw",
  import: "default",
});

const ENGLISH = import.meta.glob<string>("/lessons/*/en.md", {
  eager: true,
  query: "?raw",
  import: "default",
});

const TEXT_NAME = "en.md";

/** A lesson without a text in this language is left out. */
export function lessonFiles(): readonly LessonFile[] {
  return Object.entries(DATA).flatMap(([path, lesson]) => {
    const [, , folder = ""] = path.split("/");
    const text = ENGLISH[`/lessons/${folder}/${TEXT_NAME}`];
    return text === undefined
      ? []
      : [{ folder, lesson, text, textName: TEXT_NAME }];
  });
}

/** The version of what is stored stands in the text itself. */
const KEY = "pagewalk.lessons";

export const keptProgress = (): string | undefined => stored(KEY) ?? undefined;

export const keepProgress = (text: string): void => remember(KEY, text);

/** The lessons in each language, and the reader's progress in the browser's storage. Loads with the screen. */
import type { Language } from "../../model/texts/language";
import type { LessonFile } from "../../state/learn/service";
import { remember, stored } from "../browser/stored";
import { loader } from "../language/loader";
import { wantedLanguage } from "../language/storedLanguage";

const DATA = import.meta.glob<string>("/lessons/*/lesson.json", {
  eager: true,
  query: "?raw",
  import: "default",
});

const TEXTS = {
  en: () => import("../../texts/en/lessons"),
  zh: () => import("../../texts/zh/lessons"),
  ko: () => import("../../texts/ko/lessons"),
};

const loadTexts = loader(async (language) => {
  const { lessons } = await TEXTS[language]();
  return (folder: string) => lessons[`/lessons/${folder}/${language}.md`];
});

/** The files of all lessons. A lesson that is not in this language is in English. */
export async function lessonFiles(
  language: Language,
): Promise<readonly LessonFile[]> {
  const folders = Object.entries(DATA).map(([path, lesson]) => {
    const [, , folder = ""] = path.split("/");
    return { folder, lesson };
  });
  const own = await loadTexts(language);
  const isWhole = folders.every(({ folder }) => own(folder) !== undefined);
  const english = isWhole ? own : await loadTexts("en");
  return folders.flatMap(({ folder, lesson }) => {
    const translated = own(folder);
    if (translated !== undefined)
      return [{ folder, lesson, text: translated, language }];
    const text = english(folder);
    return text === undefined
      ? []
      : [{ folder, lesson, text, language: "en" as const }];
  });
}

/** The language of the page, also while its texts load. */
export const language = (): Language =>
  wantedLanguage(new URLSearchParams(location.search)) ?? "en";

/** The version of what is stored stands in the text itself. */
const KEY = "pagewalk.lessons";

export const keptProgress = (): string | undefined => stored(KEY) ?? undefined;

export const keepProgress = (text: string): void => remember(KEY, text);

export * as exercises from "../exercise/service";

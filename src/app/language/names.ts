import type { Language } from "../../model/texts/language";

/** Each language by its own name. */
export const NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  zh: "中文",
  ko: "한국어",
};

/** What offers a language to a reader whose browser prefers it. */
export const OFFERS: Readonly<Record<Language, string>> = {
  en: "In English",
  zh: "中文版",
  ko: "한국어로 보기",
};

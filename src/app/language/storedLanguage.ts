/** The language that the page opens with, and that the reader chose. */
import { languageOf } from "../../model/texts/language";
import type { Language } from "../../model/texts/language";
import { remember, stored } from "../browser/stored";

const KEY = "pagewalk.language";

export const keepLanguage = (language: Language) => remember(KEY, language);

/** The language of the address, otherwise the one that the reader chose; `undefined` if neither is there. */
export function wantedLanguage(search: URLSearchParams): Language | undefined {
  return languageOf(search.get("lang")) ?? languageOf(stored(KEY));
}

/** Changes the language of the page: the texts of its header, the page's `lang`, and the address. */
import type { Language } from "../../model/texts/language";
import { ENGLISH } from "./spoken";
import type { Spoken } from "./spoken";
import { keepLanguage } from "./storedLanguage";

const OTHERS = {
  zh: () => import("../../texts/zh/nav"),
  ko: () => import("../../texts/ko/nav"),
};

/** Opens the page in a language. */
export async function speak(language: Language): Promise<Spoken> {
  const spoken =
    language === "en"
      ? ENGLISH
      : { language, nav: (await OTHERS[language]()).nav };
  document.documentElement.lang = language;
  writeLanguage(language);
  shown = language;
  addEventListener("popstate", writeShown);
  return spoken;
}

let shown: Language = "en";

/** Writes the shown language into the address again: “Back” may reach an address with an earlier language. */
const writeShown = () => writeLanguage(shown);

/** The reader's own choice, which the next visit begins with. */
export async function chooseLanguage(language: Language): Promise<Spoken> {
  const spoken = await speak(language);
  keepLanguage(language);
  return spoken;
}

/** Links of the page keep what stands before `#`, and so do addresses that are shared. */
function writeLanguage(language: Language): void {
  const address = new URL(location.href);
  if (language === "en") address.searchParams.delete("lang");
  else address.searchParams.set("lang", language);
  if (address.href !== location.href)
    history.replaceState(history.state, "", address);
}

/** Offers the language that the browser prefers, on the first visit. The page never changes it alone. */
import { useState } from "react";
import { languageOf } from "../../model/texts/language";
import type { Language } from "../../model/texts/language";
import { useActions } from "../context";
import { OFFERS } from "./names";
import { chooseLanguage } from "./speak";
import { useSpoken } from "./spoken";
import { wantedLanguage } from "./storedLanguage";

/** The first language of the browser that the site has, unless the address or the reader has chosen one. */
export function offeredLanguage(): Language | undefined {
  if (wantedLanguage(new URLSearchParams(location.search))) return undefined;
  const preferred = navigator.languages.map(languageOf);
  return preferred.find((each) => each !== undefined);
}

export function LanguageOffer() {
  const { language, onSpeak } = useSpoken();
  const { reportUnexpected } = useActions();
  const [offered] = useState(offeredLanguage);
  if (!offered || offered === language) return null;
  return (
    <button
      type="button"
      className="btn welcome-offer"
      lang={offered}
      onClick={() =>
        void chooseLanguage(offered).then(onSpeak, reportUnexpected)
      }
    >
      {OFFERS[offered]}
    </button>
  );
}

/** The language of the page, with the texts of its header. */
import { createContext, useContext } from "react";
import type { Language } from "../../model/texts/language";
import { nav } from "../../texts/en/nav";
import type { Nav } from "../../texts/nav";

export interface Spoken {
  readonly language: Language;
  readonly nav: Nav;
}

export const ENGLISH: Spoken = { language: "en", nav };

export interface Speaking extends Spoken {
  readonly onSpeak: (spoken: Spoken) => void;
}

export const SpokenContext = createContext<Speaking>({
  ...ENGLISH,
  onSpeak: () => {},
});

export const useSpoken = () => useContext(SpokenContext);

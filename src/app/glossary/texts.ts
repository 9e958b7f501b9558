/** The texts of the glossary, loaded when the first card opens. */
import { loader } from "../language/loader";

const TEXTS = {
  en: () => import("../../texts/en/glossary.md?raw"),
  zh: () => import("../../texts/zh/glossary.md?raw"),
  ko: () => import("../../texts/ko/glossary.md?raw"),
};
const CATALOGUES = {
  en: () => import("../../texts/en/cards"),
  zh: () => import("../../texts/zh/cards"),
  ko: () => import("../../texts/ko/cards"),
};

export const loadGlossary = loader(async (language) => {
  const [{ readCards }, { messages }, text, { cards }] = await Promise.all([
    import("../../model/glossary/cards"),
    import("../../model/texts/messages"),
    TEXTS[language](),
    CATALOGUES[language](),
  ]);
  return { cards: readCards(text.default), say: messages(language, cards) };
});

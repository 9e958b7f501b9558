/** Loads the texts of a part in one language, once. */
import type { Language } from "../../model/texts/language";

/** The same promise for each caller, as React's `use` needs it; a failed load is repeated. */
export function loader<T>(
  load: (language: Language) => Promise<T>,
): (language: Language) => Promise<T> {
  const loading = new Map<Language, Promise<T>>();
  return (language) => {
    const known = loading.get(language);
    if (known) return known;
    const texts = load(language);
    loading.set(language, texts);
    texts.catch(() => loading.delete(language));
    return texts;
  };
}

/** The languages of the translated parts of the site. */
export const LANGUAGES = ["en", "zh", "ko"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language of a tag such as `zh` or `zh-Hans-CN`; `undefined` if it is none of them. */
export function languageOf(tag: string | null | undefined) {
  const [first] = tag?.toLowerCase().split("-") ?? [];
  return LANGUAGES.find((each) => each === first);
}

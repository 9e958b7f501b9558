/** Choices in the views of a screen, as text in a link: `models.sort:walks,descending;side:code`. */

/** Choices by the view's key, in the view's own form. */
export type ViewChoices = Readonly<Record<string, string>>;

const KEY = /^[a-z][a-z.-]*$/;

export function writeChoices(choices: ViewChoices): string {
  return Object.entries(choices)
    .map(
      ([key, value]) => `${key}:${value.replace(/[%;]/g, encodeURIComponent)}`,
    )
    .join(";");
}

/**
 * Reads the text of `writeChoices`; views ignore values that they do not know. Throws an `Error` that says
 * what is wrong.
 */
export function readChoices(text: string): ViewChoices {
  const entries = text.split(";").map((part): [string, string] => {
    const at = part.indexOf(":");
    const key = part.slice(0, Math.max(0, at));
    if (!KEY.test(key))
      throw new Error(`“view” must be name:value;…, not “${text}”.`);
    return [key, decode(part.slice(at + 1))];
  });
  return Object.fromEntries(entries);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Error("“view” has an incomplete % code: was the link cut short?");
  }
}

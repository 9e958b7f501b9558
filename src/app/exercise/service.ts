/** What the browser keeps of a student's exercises. Loads on use. */
import { remember, stored } from "../browser/stored";

const PREFIX = "pagewalk.exercise";
const NAME = "pagewalk.student";

export const kept = (key: string): string | undefined =>
  stored(`${PREFIX} ${key}`) ?? undefined;

export const keep = (key: string, text: string): void =>
  remember(`${PREFIX} ${key}`, text);

export const lastName = (): string => stored(NAME) ?? "";

export const keepName = (name: string): void => remember(NAME, name);

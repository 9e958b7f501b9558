/** What saved pictures and tables need from their page; the page provides it once for all. */
import { createContext } from "react";
import type { Caption } from "./caption";

export interface PageFacts {
  /** The prefix of file names: the open trace and its machine. */
  readonly name: () => string;
  /** A link to the page in its current state. */
  readonly link: () => string;
  /** What stands above a picture of the shown access; `undefined` if none is shown. */
  readonly caption: () => Promise<Caption | undefined>;
  /** What the numbers of the page are about, by column of a CSV file. */
  readonly about: () => Readonly<Record<string, string>>;
}

/** `null` outside a page, such as in a gallery. */
export const PageFactsContext = createContext<PageFacts | null>(null);

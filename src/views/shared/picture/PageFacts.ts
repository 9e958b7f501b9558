/** What pictures know of the page that they are on; the page gives it once, to all of them. */
import { createContext } from "react";

export interface PageFacts {
  /** What names of files begin with: the trace that is open, and its machine. */
  readonly name: () => string;
  /** The address that shows the page as it is now. */
  readonly link: () => string;
}

/** `null` where there is no page around, as in a gallery. */
export const PageFactsContext = createContext<PageFacts | null>(null);

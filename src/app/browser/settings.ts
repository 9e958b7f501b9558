/** What the browser remembers about its reader: that the first screen was left, and how much detail is wanted. */
import type { Settings } from "../../state/start/settings";
import type { AppState } from "../../state/store";
import { remember, stored } from "./stored";

const WELCOME = "pagewalk.welcome";
const DETAIL = "pagewalk.detail";

export const settings: Settings = {
  keepWelcome: () => remember(WELCOME, "seen"),
  keepPlain: (plain) => remember(DETAIL, plain ? "plain" : "expert"),
};

/** What the page opens with. A link and a frame in another page show what they name. */
export function openingOf(
  isLink: boolean,
  isEmbedded: boolean,
): Pick<AppState, "welcome" | "plain"> {
  if (isEmbedded) return { welcome: false, plain: false };
  // Without storage, the first screen would come back at each visit.
  const welcome = !isLink && stored(WELCOME) === null;
  const detail = stored(DETAIL) ?? (welcome ? "plain" : "expert");
  return { welcome, plain: detail === "plain" };
}

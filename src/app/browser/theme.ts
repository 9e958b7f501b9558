/** The theme: the system's, or the user's choice, which is stored. */
import type { AppStore, Theme } from "../../state/store";
import { remember, stored } from "./stored";

/** `index.html` also reads this key, before the first paint. */
const KEY = "pagewalk.theme";

/** The theme of the address, as of a frame in another page, otherwise the stored one. */
export function themeOf(search: URLSearchParams): Theme {
  return word(search.get("theme")) ?? storedTheme();
}

function word(text: string | null | undefined): Theme | undefined {
  return text === "light" || text === "dark" ? text : undefined;
}

function storedTheme(): Theme {
  return word(stored(KEY)) ?? "auto";
}

export function followTheme(store: AppStore): void {
  apply(store.getState().theme);
  store.subscribe(({ theme, projector }, before) => {
    if (projector !== before.projector) {
      document.documentElement.toggleAttribute("data-projector", projector);
      // Pictures read the size of text again.
      window.dispatchEvent(new Event("resize"));
    }
    if (theme === before.theme) return;
    apply(theme);
    remember(KEY, theme === "auto" ? undefined : theme);
  });
}

function apply(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "auto") delete dataset.theme;
  else dataset.theme = theme;
}

/** The theme: the system's, or the user's choice, which is stored. */
import type { AppStore, Theme } from "../../state/store";

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
  return word(storage((local) => local.getItem(KEY))) ?? "auto";
}

export function followTheme(store: AppStore): void {
  apply(store.getState().theme);
  store.subscribe(({ theme, projector }, before) => {
    document.documentElement.toggleAttribute("data-projector", projector);
    if (theme === before.theme) return;
    apply(theme);
    storage((local) => {
      if (theme === "auto") local.removeItem(KEY);
      else local.setItem(KEY, theme);
    });
  });
}

function apply(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "auto") delete dataset.theme;
  else dataset.theme = theme;
}

/** Storage may be forbidden (a sandboxed frame): the choice then lasts as long as the page. */
function storage<T>(work: (local: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}

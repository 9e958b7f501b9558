/** The theme: the system's, or the user's choice, which is stored. */
import type { AppStore, Theme } from "../../state/store";

/** `index.html` also reads this key, before the first paint. */
const KEY = "pagewalk.theme";

export function storedTheme(): Theme {
  const stored = storage((local) => local.getItem(KEY));
  return stored === "light" || stored === "dark" ? stored : "auto";
}

export function followTheme(store: AppStore): void {
  apply(store.getState().theme);
  store.subscribe(({ theme }, before) => {
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

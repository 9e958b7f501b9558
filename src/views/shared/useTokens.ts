/** Token values for canvases, read again whenever the theme changes. */
import { useCallback, useSyncExternalStore } from "react";
import type { Token } from "../../model/shared/theme";
import { watchMedia } from "./media";

/** A number that changes with the theme, as a dependency of effects that draw a canvas. */
export function useTheme(): number {
  return useSyncExternalStore(subscribe, themeVersion, () => 0);
}

/** Reads current token values at the document root. */
export function useTokens(): {
  readonly theme: number;
  readonly colours: (token: Token) => string;
} {
  const theme = useTheme();
  const colours = useCallback((token: Token) => readToken(token), []);
  return { theme, colours };
}

/** The current value of a token; `transparent` if no style sheet defines it. */
export function readToken(token: Token): string {
  const value = known.get(token) ?? computed(token);
  // Without a watcher, nothing would report another theme.
  if (stopWatching) known.set(token, value);
  return value;
}

/** The values of this theme. To read one forces a layout of the page, so each is read once and not at every drawing. */
const known = new Map<Token, string>();

function computed(token: Token): string {
  const value = getComputedStyle(document.documentElement)
    .getPropertyValue(token)
    .trim();
  return value === "" ? "transparent" : value;
}

let version = 0;
const listeners = new Set<() => void>();
let stopWatching: (() => void) | undefined;

function themeVersion(): number {
  return version;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stopWatching ??= watch();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stopWatching?.();
    stopWatching = undefined;
    known.clear();
  };
}

/**
 * The theme changes by `data-theme` on the root, or by the system's preference if the attribute is absent.
 */
function watch(): () => void {
  const changed = () => {
    version += 1;
    known.clear();
    for (const listener of listeners) listener();
  };
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["data-theme"],
  });
  const stopMedia = watchMedia("(prefers-color-scheme: dark)", changed);
  return () => {
    observer.disconnect();
    stopMedia();
  };
}

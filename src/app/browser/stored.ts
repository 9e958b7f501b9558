/** The browser's storage of settings. It may be forbidden (a sandboxed frame): a setting then lasts as long as the page. */

/** Missing settings are `null`; `undefined` means that nothing can be stored. */
export function stored(key: string): string | null | undefined {
  return attempt((local) => local.getItem(key));
}

export function remember(key: string, value: string | undefined): void {
  attempt((local) =>
    value === undefined ? local.removeItem(key) : local.setItem(key, value),
  );
}

function attempt<T>(work: (local: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}

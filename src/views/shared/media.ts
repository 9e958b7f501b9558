/** Media queries, if the browser supports them. */

/** Calls `listener` when the query's result changes; returns a function that stops it. */
export function watchMedia(query: string, listener: () => void): () => void {
  // jsdom does not support it.
  if (typeof window.matchMedia !== "function") return () => undefined;
  const media = window.matchMedia(query);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

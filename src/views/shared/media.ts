/** Media queries, where the browser has them. */

/** Calls `listener` whenever the answer to the query changes; returns how to stop. */
export function watchMedia(query: string, listener: () => void): () => void {
  // jsdom has none.
  if (typeof window.matchMedia !== "function") return () => undefined;
  const media = window.matchMedia(query);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

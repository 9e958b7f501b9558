/** Longest wait for a quiet moment, in milliseconds. */
const TIMEOUT_MS = 5000;

/** Does something when the page has nothing else to do. */
export function whenIdle(work: () => void): void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === "function")
    requestIdleCallback(work, { timeout: TIMEOUT_MS });
  else setTimeout(work, 200);
}

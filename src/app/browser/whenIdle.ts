/** The longest wait for an idle moment, in milliseconds. */
const TIMEOUT_MS = 5000;

/** Runs a function when the page is idle. */
export function whenIdle(work: () => void): void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === "function")
    requestIdleCallback(work, { timeout: TIMEOUT_MS });
  else setTimeout(work, 200);
}

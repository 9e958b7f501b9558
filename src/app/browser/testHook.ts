/** With `?test` in the address, end-to-end tests can read the store and make the engine trap. */
import type { App } from "../context";

declare global {
  interface Window {
    __pagewalk?: App;
  }
}

export function exposeForTests(app: App): void {
  if (new URLSearchParams(location.search).has("test")) window.__pagewalk = app;
}

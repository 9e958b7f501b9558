/** With `?test` in the address, end-to-end tests can read the store, run programs and make the engine trap. */
import type { ProgramService } from "../../state/code/programService";
import type { App } from "../context";

declare global {
  interface Window {
    __pagewalk?: App & {
      readonly programs: () => Promise<ProgramService>;
    };
  }
}

export function exposeForTests(app: App): void {
  if (!new URLSearchParams(location.search).has("test")) return;
  const programs = async () => (await import("../code/api")).programService;
  window.__pagewalk = Object.assign(app, { programs });
}

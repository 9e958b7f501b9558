/** With `?test` in the address, tests can read the store, run programs, start engines and make the engine trap. */
import { workerEngine } from "../../engine/workerEngine";
import type { ProgramService } from "../../state/code/programService";
import type { App } from "../context";

declare global {
  interface Window {
    __pagewalk?: App & {
      readonly programs: () => Promise<ProgramService>;
      readonly newEngine: typeof workerEngine;
    };
  }
}

export function exposeForTests(app: App): void {
  if (!new URLSearchParams(location.search).has("test")) return;
  const programs = async () => (await import("../code/api")).programService;
  const hook = { programs, newEngine: workerEngine };
  window.__pagewalk = Object.assign(app, hook);
}

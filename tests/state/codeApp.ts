/** The screen Code without a browser: what its tests open, run and read. */
import { expect } from "vitest";
import type { ProgramAbout } from "../../src/model/code/about";
import { isStale, programAt } from "../../src/model/code/code";
import type { ProgramSlot, ProgramText } from "../../src/model/code/code";
import { createApp, settle } from "./app";

export const CODE = "load(8)";

/** The screen with a program of `n` accesses, on a side engine that has not started. */
export async function openPrograms(
  hash = "#screen=code",
  stored: readonly ProgramText[] = [mine("one")],
) {
  const app = createApp();
  app.codeService.stored = stored;
  await app.actions.open(hash);
  await arrived(app);
  await app.actions.goTo(7);
  return app;
}

export type App = ReturnType<typeof createApp>;

export const mine = (name: string, code = CODE) => ({ name, code });

/** The state of the screen loads with its code. */
export async function arrived(app: App) {
  await expect.poll(() => app.state().codeScreen).toBeDefined();
  await settle();
}

export const programOf = (app: App, slot: ProgramSlot = 0) => {
  const program = programAt(app.state().codeScreen, slot);
  if (!program) throw new Error(`There is no program ${slot}.`);
  return program;
};

/** Runs a program that makes `n` accesses. */
export async function run(app: App, n: number, slot: ProgramSlot = 0) {
  const result = { accesses: n, arrays: [], log: [] };
  const file = new Blob(["x".repeat(n)]);
  app.codeService.outcome = { file: () => file, result };
  await app.actions.runProgram(slot);
  await settle();
}

/** What stands on the screen: the name and the accesses of the pictures, and whether they wait for others. */
export function screen(app: App, slot: ProgramSlot = 0): string {
  const program = programOf(app, slot);
  const { shown, run } = program;
  const setup = app.state().configuration?.setup;
  const parts = [
    shown ? `${shown.name} ${shown.trace.n_accesses}` : "nothing",
    ...(shown ? [`timeline to ${shown.timeline.view.to}`] : []),
    ...(isStale(program, setup) ? ["stale"] : []),
    ...(run?.status === "failed" ? [run.problem.message] : []),
  ];
  return parts.join(", ");
}

export const BUILD = { language: "c", level: "1", args: "" } as const;

/** What a program in C leaves besides its accesses. */
export const RESULT = {
  accesses: 4,
  output: "",
  status: 0,
  diagnostics: [],
  about: {
    sites: [],
    places: [],
    functions: [],
  } as unknown as ProgramAbout,
};

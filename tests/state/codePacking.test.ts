/** Programs whose accesses are imported while they run. */
import { expect, test } from "vitest";
import { EngineError } from "../../src/engine/engine";
import type { Build } from "../../src/model/code/build";
import { settle } from "./app";
import {
  BUILD,
  mine,
  openPrograms,
  programOf,
  RESULT,
  screen,
} from "./codeApp";
import type { App } from "./codeApp";

const failed = (message: string) =>
  ({ stage: "run", message, output: "", diagnostics: [] }) as const;

const open = (build: Build | undefined) =>
  openPrograms("#screen=code", [{ ...mine("c", "int main() {}"), build }]);

/** Runs a program that hands `n` accesses to the engine of its slot. */
async function run(app: App, n: number, file = () => new Blob()) {
  const { built } = app.codeService;
  built.packs = true;
  built.outcome = { file, result: { ...RESULT, accesses: n } };
  const result = { accesses: n, arrays: [], log: [] };
  app.codeService.outcome = { file, result };
  for (const engine of app.sideEngines) engine.nParts = n;
  await app.actions.runProgram(0);
  await settle();
}

const imports = (app: App) =>
  app.sideEngines.map(
    ({ log }) => log.filter((line) => line.startsWith("import")).length,
  );

test.each([
  ["a_program_in_C", BUILD],
  ["a_script", undefined],
])("the_trace_is_that_of_the_import_during_the_run_of_%s", async (_, build) => {
  const app = await open(build);
  await run(app, 0);
  await run(app, 40, () => {
    throw new Error("The file is not needed.");
  });
  expect(screen(app)).toBe("c 40, timeline to 40");
  expect(imports(app)).toEqual([2]);
});

test("the_accesses_of_the_pictures_are_imported_again_after_a_run_that_failed", async () => {
  const app = await open(BUILD);
  await run(app, 0);
  await run(app, 300, () => new Blob(["x".repeat(300)]));
  const { built } = app.codeService;
  built.outcome = failed("It threw.");
  built.endsFile = true;
  await app.actions.runProgram(0);
  await app.actions.openProgramWindow(0, { from: 100, to: 200 });
  expect(screen(app)).toBe("c 300, timeline to 200, It threw.");
  // The failed run had ended its file, so the engine has its accesses.
  expect(imports(app)).toEqual([4]);
});

test("an_engine_that_dies_during_the_run_is_replaced_at_the_next_one", async () => {
  const app = await open(BUILD);
  await run(app, 40);
  app.sideEngines[0]?.failures.set(
    "import",
    new EngineError("crashed", "It stopped."),
  );
  app.codeService.built.outcome = failed("It stopped.");
  await app.actions.runProgram(0);
  expect(programOf(app).run).toMatchObject({ status: "failed" });
  await settle();
  expect(app.sideEngines[0]?.log.at(-1)).toBe("dispose");
  await run(app, 50);
  expect(app.sideEngines.length).toBe(2);
});

/** Programs in C are packed while they run, by their engine and a second one. */
import { expect, test } from "vitest";
import type { ProgramAbout } from "../../src/model/code/about";
import { settle } from "./app";
import { BUILD, mine, openPrograms, programOf, screen } from "./codeApp";

const RESULT = {
  accesses: 7,
  output: "",
  status: 0,
  diagnostics: [],
  about: {} as ProgramAbout,
};

/** The screen with a program whose run sends seven bytes, and makes a file of seven. */
async function openC() {
  const app = await openPrograms("#screen=code", [
    { ...mine("c", "int main() {}"), build: BUILD },
  ]);
  const { built } = app.codeService;
  built.bytes = [4, 3];
  built.outcome = { file: new Blob(["x".repeat(7)]), result: RESULT };
  return { app, built };
}

const imports = ({ log }: { readonly log: readonly string[] }) =>
  log.filter((line) => /import|dispose/i.test(line));

test("a_program_is_packed_while_it_runs", async () => {
  const { app, built } = await openC();
  let end = () => {};
  built.ended = new Promise((resolve) => (end = resolve));
  const running = app.actions.runProgram(0);
  await expect
    .poll(() => app.sideEngines.map(imports))
    .toEqual([["importShared c"], ["helpImport"]]);
  end();
  await running;
  await settle();
  expect(screen(app)).toBe("c 7, timeline to 7");
  // The engine has the trace: another machine does not import it again.
  await app.actions.chooseCpu("amd-zen2");
  await settle();
  expect(app.sideEngines.flatMap(imports)).toEqual([
    "importShared c",
    "helpImport",
  ]);
});

test("a_run_that_ends_early_keeps_the_pictures_and_the_engines", async () => {
  const { app, built } = await openC();
  await app.actions.runProgram(0);
  await settle();
  built.ended = new Promise(() => {});
  void app.actions.runProgram(0);
  await expect.poll(() => app.sideEngines.flatMap(imports).length).toBe(4);
  await app.actions.cancelProgram(0);
  await settle();
  expect(screen(app)).toBe("c 7, timeline to 7");
  expect(programOf(app).run).toBeUndefined();
  expect(app.sideEngines.flatMap(imports)).not.toContain("dispose");
});

test("without_the_second_engine_the_file_is_imported", async () => {
  const { app, built } = await openC();
  await app.actions.runProgram(0);
  await settle();
  app.sideEngines[1]?.failNext("helpImport", "crashed");
  built.outcome = { file: new Blob(["x".repeat(9)]), result: RESULT };
  await app.actions.runProgram(0);
  await settle();
  expect(screen(app)).toBe("c 9, timeline to 9");
  expect(app.sideEngines.map(imports)).toEqual([
    ["importShared c", "importShared c", "dispose"],
    ["helpImport", "helpImport", "dispose"],
    ["import c"],
  ]);
});

import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
import { problem } from "../../src/model/code/program";
import { PROGRAM_PAIRS } from "../../src/model/code/programExamples";
import { createApp, settle } from "./app";
import { BUILD, CODE, mine, openPrograms, programOf, RESULT } from "./codeApp";
import type { App } from "./codeApp";

test("choosing_C_loads_the_compiler_once_and_shows_its_example", async () => {
  const app = await openPrograms();
  const { built } = app.codeService;
  built.isKept = false;
  built.isHeld = true;
  const choosing = app.actions.chooseLanguage(0, "c");
  await expect
    .poll(() => app.state().codeScreen?.compiler)
    .toEqual({ status: "loading", done: 9e6, bytes: 27e6 });
  expect(programOf(app).name).toBe("row order");
  await app.actions.cancelCompiler();
  await choosing;
  expect(app.state().codeScreen?.compiler).toEqual({
    status: "missing",
    bytes: 27e6,
  });
  built.isHeld = false;
  await app.actions.loadCompiler();
  expect(app.state().codeScreen?.compiler).toEqual({ status: "kept" });
  expect(built.ran).toEqual([]);
  // The program in JavaScript comes back.
  await app.actions.chooseLanguage(0, "javascript");
  expect(programOf(app)).toMatchObject({ name: "one", code: CODE });
});

test("another_language_runs_its_program_if_the_compiler_is_there", async () => {
  const app = await openPrograms();
  const { built } = app.codeService;
  await app.actions.chooseLanguage(0, "c");
  expect(built.ran.length).toBe(1);
  await app.actions.chooseLanguage(0, "c++");
  expect(built.ran.length).toBe(2);
});

test("cpp_after_JavaScript_begins_with_what_is_written_in_C", async () => {
  const app = await openPrograms();
  await app.actions.chooseLanguage(0, "c++");
  const build = { language: "c++" };
  expect(programOf(app)).toMatchObject({ name: "row order", build });
  expect(app.codeService.built.ran.length).toBe(1);
  await app.actions.chooseLanguage(0, "c");
  app.actions.editProgram(0, { name: "mine" });
  await app.actions.chooseLanguage(0, "javascript");
  // The draft in C++ is older, and is what was written in that language.
  await app.actions.chooseLanguage(0, "c++");
  expect(programOf(app)).toMatchObject({ name: "row order", build });
});

test("code_of_a_link_waits_for_its_reader_in_every_language", async () => {
  const code = "int main() {}!";
  const build = "c-O1";
  const hash = encodePermalink({ screen: "code", program: "a", code, build });
  const app = await openPrograms(`#${hash}`);
  const { built } = app.codeService;
  await app.actions.chooseLanguage(0, "c++");
  expect(programOf(app)).toMatchObject({ waits: "reader" });
  await app.actions.chooseLanguage(0, "javascript");
  await app.actions.chooseLanguage(0, "c++");
  expect(programOf(app)).toMatchObject({ waits: "reader" });
  expect(built.ran).toEqual([]);
});

test("a_download_that_fails_says_why", async () => {
  const app = await openPrograms();
  const { built } = app.codeService;
  built.isKept = false;
  built.loaded = {
    stage: "load",
    message: "The network is gone.",
    diagnostics: [],
    output: "",
  };
  await app.actions.chooseLanguage(0, "c");
  expect(app.state().codeScreen?.compiler).toEqual({
    status: "missing",
    bytes: 27e6,
    problem: "The network is gone.",
  });
});

test("a_link_holds_language_level_and_arguments_and_runs_nothing", async () => {
  const link = {
    language: "c++",
    level: "2",
    args: "3 'a b'",
    fetches: true,
  } as const;
  const build = "cpp-O2-fetches 3 'a b'";
  const hash = encodePermalink({
    screen: "code",
    program: "mine",
    code: "int main() {}!",
    build,
  });
  const app = await openPrograms(`#${hash}`);
  const { built } = app.codeService;
  expect(programOf(app)).toMatchObject({ build: link, waits: "reader" });
  expect(built.ran).toEqual([]);
  expect(permalink(app.state())).toMatchObject({ build });
  await app.actions.runProgram(0);
  expect(built.ran).toEqual([
    {
      code: {
        source: { text: "int main() {}", language: "c++", level: "2" },
        fetches: true,
      },
      args: ["3", "a b"],
    },
  ]);
});

test("an_error_of_the_compiler_keeps_the_last_run", async () => {
  const app = await openPrograms("#screen=code", [
    { ...mine("c", "int main( {}"), build: BUILD },
  ]);
  const { built } = app.codeService;
  const diagnostics = [
    { severity: "error", message: "expected ')'", line: 1, caret: "^" },
  ] as const;
  built.outcome = {
    stage: "compile",
    message: "expected ')'",
    line: 1,
    diagnostics,
    output: "",
  };
  await app.actions.runProgram(0);
  expect(programOf(app).run).toMatchObject({
    status: "failed",
    problem: { message: "expected ')'", line: 1, diagnostics },
  });
});

const TRACE = () => new Blob(["xxxx"]);

test("a_dropped_module_runs_and_becomes_the_trace", async () => {
  const app = await openPrograms();
  const { built } = app.codeService;
  built.outcome = { file: TRACE, result: RESULT };
  const file = new Blob([Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)]);
  await app.actions.dropFile([{ file, name: "a.wasm" }]);
  await settle();
  expect(built.ran).toMatchObject([{ code: { name: "a.wasm" }, args: [] }]);
  expect(app.state().trace).toMatchObject({ name: "a.wasm", n_accesses: 4 });
});

/** Drops a module that hands `n` accesses to the engine of the replay. */
async function dropPacked(app: App, n: number) {
  const { built } = app.codeService;
  built.packs = true;
  app.engine.nParts = n;
  const file = new Blob([Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)]);
  await app.actions.dropFile([{ file, name: "a.wasm" }]);
  await settle();
}

const NO_FILE = () => {
  throw new Error("The file is not needed.");
};

test("the_accesses_of_a_dropped_module_are_imported_while_it_runs", async () => {
  const app = await openPrograms();
  app.codeService.built.outcome = { file: NO_FILE, result: RESULT };
  await dropPacked(app, 40);
  expect(app.state()).toMatchObject({
    trace: { name: "a.wasm", n_accesses: 40 },
    importing: undefined,
    notices: [],
  });
  expect(app.engine.imported).toMatchObject({ limit: 50_000_000 });
});

test("a_dropped_module_that_stops_opens_what_it_did_and_says_why", async () => {
  const app = await openPrograms();
  const trap = { message: "it divided by zero" };
  app.codeService.built.outcome = {
    file: NO_FILE,
    result: { ...RESULT, trap },
  };
  await dropPacked(app, 40);
  expect(app.state()).toMatchObject({
    trace: { n_accesses: 40 },
    notices: [{ text: "a.wasm: the program stopped: it divided by zero." }],
  });
});

test("a_dropped_module_that_fails_keeps_the_trace_and_says_why_once", async () => {
  const app = await openPrograms();
  const before = app.state().trace;
  app.engine.failNext("import", "cancelled");
  app.codeService.built.outcome = {
    ...problem("run", "The program made no access."),
  };
  await dropPacked(app, 40);
  expect(app.state()).toMatchObject({
    trace: before,
    importing: undefined,
    notices: [{ text: "a.wasm: The program made no access." }],
  });
});

test("an_import_that_fails_during_the_run_is_told_once", async () => {
  const app = await openPrograms();
  app.engine.failNext("import", "bad-trace");
  app.codeService.built.outcome = { file: NO_FILE, result: RESULT };
  await dropPacked(app, 40);
  expect(app.state().notices.map(({ text }) => text)).toEqual([
    "a.wasm: import failed.",
  ]);
});

test("the_run_of_a_dropped_module_is_shown_and_ends_at_a_cancel", async () => {
  const app = await openPrograms();
  const before = app.state().trace;
  const release = app.engine.hold("import");
  const { built } = app.codeService;
  built.outcome = undefined;
  const running = dropPacked(app, 40);
  await expect
    .poll(() => app.state().importing)
    .toEqual({ name: "a.wasm", step: { what: "compiling" } });
  app.engine.failNext("import", "cancelled");
  app.actions.cancelImport();
  release();
  await running;
  expect(app.state()).toMatchObject({
    trace: before,
    importing: undefined,
    notices: [],
  });
});

test("a_dropped_text_opens_on_the_screen_and_does_not_run", async () => {
  const app = await openPrograms();
  const file = new Blob(["int main() {}"]);
  await app.actions.dropFile([{ file, name: "sum.cpp" }]);
  expect(programOf(app)).toMatchObject({
    name: "sum",
    code: "int main() {}",
    build: { language: "c++" },
  });
  expect(app.codeService.built.ran).toEqual([]);
});

test("the_link_of_a_compiled_trace_holds_its_program", async () => {
  const app = await openPrograms("#screen=code", [
    { ...mine("c", "int main() {}"), build: BUILD },
  ]);
  app.codeService.built.outcome = { file: TRACE, result: RESULT };
  await app.actions.runProgram(0);
  await settle();
  await app.actions.openProgram(0);
  await settle();
  const link = permalink(app.state());
  expect(link.data).toBe("1.program.c-O1\nint main() {}!");
  const other = createApp();
  await other.actions.open(`#${encodePermalink(link)}`);
  await settle();
  expect(other.codeService.built.ran).toEqual([]);
  expect(other.state().notices[0]?.text).toMatch(/^A program makes the trace/);
});

test("a_pair_in_C_waits_for_the_compiler_and_then_runs", async () => {
  const app = await openPrograms();
  const { built } = app.codeService;
  built.isKept = false;
  built.isHeld = true;
  const [pair] = PROGRAM_PAIRS;
  const opening = app.actions.showPair(pair?.programs ?? []);
  await expect
    .poll(() => app.state().codeScreen?.compiler?.status)
    .toBe("loading");
  const waits = () =>
    app.state().codeScreen?.programs.map((each) => each.waits);
  expect(waits()).toEqual([undefined, undefined]);
  await app.actions.cancelCompiler();
  await opening;
  expect(waits()).toEqual([undefined, undefined]);
  built.isHeld = false;
  await app.actions.showPair(pair?.programs ?? []);
  expect(waits()).toEqual(["screen", "screen"]);
});

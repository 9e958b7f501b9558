import { expect, test } from "vitest";
import { EngineError } from "../../src/engine/engine";
import {
  SCRIPT_EXAMPLES,
  SCRIPT_PAIRS,
} from "../../src/model/code/scriptExamples";
import { isStale, MAX_LINK, programAt } from "../../src/model/code/code";
import type { ProgramAbout } from "../../src/model/code/about";
import type { ProgramSlot, ProgramText } from "../../src/model/code/code";
import type { AttributionView } from "../../src/engine/generated/AttributionView";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { linkLacks } from "../../src/state/start/linkLacks";
import { permalink } from "../../src/state/selectors";
import { createApp, settle } from "./app";

const CODE = "load(8)";

/** The screen with a program of `n` accesses, on a side engine that has not started. */
async function openPrograms(
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

type App = ReturnType<typeof createApp>;

const mine = (name: string, code = CODE) => ({ name, code });

/** The state of the screen loads with its code. */
async function arrived(app: App) {
  await expect.poll(() => app.state().codeScreen).toBeDefined();
  await settle();
}

const programOf = (app: App, slot: ProgramSlot = 0) => {
  const program = programAt(app.state().codeScreen, slot);
  if (!program) throw new Error(`There is no program ${slot}.`);
  return program;
};

/** Runs a program that makes `n` accesses. */
async function run(app: App, n: number, slot: ProgramSlot = 0) {
  const result = { accesses: n, arrays: [], log: [] };
  app.codeService.outcome = { file: new Blob(["x".repeat(n)]), result };
  await app.actions.runProgram(slot);
  await settle();
}

/** What stands on the screen: the name and the accesses of the pictures, and whether they wait for others. */
function screen(app: App, slot: ProgramSlot = 0): string {
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

test("a_picture_keeps_its_name_until_the_next_one_is_complete", async () => {
  const app = await openPrograms();
  await run(app, 300);
  app.actions.editProgram(0, mine("two", "load(16)"));
  expect(screen(app)).toBe("one 300, timeline to 300");
  const [engine] = app.sideEngines;
  for (const call of ["import", "configure", "run", "timeline"] as const) {
    const release = engine?.hold(call);
    const running = run(app, 40);
    await settle();
    expect(screen(app), call).toBe("one 300, timeline to 300, stale");
    await app.actions.cancelProgram(0);
    release?.();
    await running;
    expect(screen(app), call).toBe("one 300, timeline to 300");
    // What is asked next is about the accesses of the pictures, not about those of the cancelled run.
    await app.actions.openProgramWindow(0, { from: 100, to: 200 });
    expect(screen(app), call).toBe("one 300, timeline to 200");
    await app.actions.goToOfProgram(0, 299);
    expect(programOf(app).shown?.step?.index, call).toBe(299);
    const imports = engine?.log.filter((line) => line.startsWith("import"));
    expect(imports?.at(-1), call).toBe("import one");
    await app.actions.openProgramWindow(0);
  }
  await run(app, 40);
  expect(screen(app)).toBe("two 40, timeline to 40");
});

test("a_run_leaves_the_replay_as_it_is_until_it_is_opened_there", async () => {
  const app = await openPrograms();
  const { trace, report, cursor } = app.state();
  await run(app, 40);
  expect(app.state()).toMatchObject({ trace, report, cursor, screen: "code" });
  expect(encodePermalink(permalink(app.state()))).toContain("trace=chase");
  await app.actions.goToOfProgram(0, 10);
  await app.actions.openProgram(0);
  await settle();
  const { screen, showsImport } = app.state();
  expect({ screen, showsImport }).toEqual({
    screen: "replay",
    showsImport: false,
  });
  expect(app.state().trace).toMatchObject({ name: "one", n_accesses: 40 });
  expect(app.state().cursor).toBe(10);
});

test("known_code_runs_with_the_screen_and_unknown_code_of_a_link_waits_for_its_reader", async () => {
  const waits = async (
    hash: string,
    stored: readonly ProgramText[] = [mine("one")],
  ) => {
    const app = await openPrograms(hash, stored);
    // What a link shows does not replace what the user wrote.
    expect(app.codeService.stored).toBe(stored);
    expect(app.codeService.ran).toEqual([]);
    const { name, code, waits } = programOf(app);
    return `${name} ${code === CODE ? "mine" : "another"} ${waits}`;
  };
  const [example] = SCRIPT_EXAMPLES;
  const link = (code: string) =>
    `#${encodePermalink({ screen: "code", program: "linked", code: `${code}!` })}`;
  expect(await waits("#screen=code")).toBe("one mine screen");
  expect(await waits("#screen=code", [])).toBe("rows another screen");
  expect(await waits(link("load(1)"))).toBe("linked another reader");
  expect(await waits(link(CODE))).toBe("linked mine screen");
  expect(await waits(link(example?.code ?? ""))).toBe("linked another screen");
});

test("a_damaged_link_leaves_the_code_that_was_there", async () => {
  const app = await openPrograms("#screen=code&code=cut");
  expect(programOf(app)).toMatchObject(mine("one"));
  expect(app.state().notices.map(({ text }) => text)).toEqual([
    "The code of the link cannot be read: was the link cut short?",
  ]);
});

test("what_is_written_is_kept_and_found_again", async () => {
  const app = await openPrograms();
  app.actions.editProgram(0, { code: "load(1)" });
  app.actions.editProgram(0, { name: "eight" });
  await app.actions.addProgram();
  const both = [mine("eight", "load(1)"), mine("eight 2", "load(1)")];
  expect(app.codeService.stored).toEqual(both);
  const again = await openPrograms("#screen=code", both);
  expect(again.state().codeScreen?.programs.map(({ name }) => name)).toEqual([
    "eight",
    "eight 2",
  ]);
});

test("what_a_run_ends_with_is_told_beside_the_code_and_the_last_run_stays", async () => {
  const app = await openPrograms();
  await run(app, 40);
  app.codeService.outcome = { message: "It threw.", line: 3 };
  await app.actions.runProgram(0);
  expect(programOf(app).run).toEqual({
    status: "failed",
    problem: { message: "It threw.", line: 3 },
  });
  expect(screen(app)).toBe("one 40, timeline to 40, It threw.");
  app.codeService.outcome = undefined;
  await app.actions.runProgram(0);
  expect(screen(app)).toBe("one 40, timeline to 40");
});

test("an_engine_that_dies_is_replaced_at_the_next_run", async () => {
  const app = await openPrograms();
  await run(app, 40);
  const [engine] = app.sideEngines;
  engine?.failures.set("run", new EngineError("crashed", "It stopped."));
  await run(app, 50);
  expect(screen(app)).toBe("one 40, timeline to 40, It stopped.");
  await run(app, 60);
  expect(screen(app)).toBe("one 60, timeline to 60");
  expect(app.sideEngines.length).toBe(2);
  expect(engine?.log.at(-1)).toBe("dispose");
});

test("pictures_follow_the_machine_without_running_the_code_again", async () => {
  const app = await openPrograms();
  await run(app, 40);
  await app.actions.chooseCpu("amd-zen2");
  await settle();
  expect(screen(app)).toBe("one 40, timeline to 40, stale");
  await app.actions.followMachine(0);
  await settle();
  expect(screen(app)).toBe("one 40, timeline to 40");
  expect(programOf(app).shown?.machine.name).toBe("Zen 2 4K");
  expect(app.codeService.ran.length).toBe(1);
  // A machine that cannot be simulated is tried once.
  app.sideEngines[0]?.failNext("configure", "bad-config");
  await app.actions.chooseCpu("intel-skylake-sp");
  await app.actions.followMachine(0);
  const { length } = app.sideEngines[0]?.log ?? [];
  await app.actions.followMachine(0);
  expect(app.sideEngines[0]?.log.length).toBe(length);
});

test("a_run_that_its_screen_left_behind_starts_again_with_it", async () => {
  const app = await openPrograms();
  await run(app, 40);
  const release = app.sideEngines[0]?.hold("run");
  const running = run(app, 50);
  await settle();
  await app.actions.leaveCode();
  release?.();
  await running;
  expect(screen(app)).toBe("one 40, timeline to 40");
  expect(programOf(app).waits).toBe("screen");
  await run(app, 50);
  expect(programOf(app).waits).toBeUndefined();
});

test("two_programs_have_one_cursor_and_one_window_in_shares", async () => {
  const app = await openPrograms();
  await run(app, 300);
  await app.actions.addProgram();
  await run(app, 60, 1);
  expect([screen(app, 0), screen(app, 1)]).toEqual([
    "one 300, timeline to 300",
    "one 2 60, timeline to 60",
  ]);
  const steps = () =>
    app.state().codeScreen?.programs.map(({ shown }) => shown?.step?.index);
  expect(steps()).toEqual([150, 30]);
  await app.actions.goToOfProgram(1, 6);
  expect(steps()).toEqual([32, 6]);
  await app.actions.openProgramWindow(0, { from: 100, to: 200 });
  const windows = () =>
    app.state().codeScreen?.programs.map(({ shown }) => {
      const { from, to } = shown?.timeline.view ?? { from: 0, to: 0 };
      return `${from}-${to}`;
    });
  expect(windows()).toEqual(["100-200", "20-40"]);
  // Another run keeps the window of both.
  await run(app, 120, 1);
  expect(windows()).toEqual(["100-200", "40-80"]);
  await app.actions.openProgramWindow(1);
  expect(windows()).toEqual(["0-300", "0-120"]);
  await app.actions.removeProgram();
  expect(app.state().codeScreen?.programs.length).toBe(1);
  expect(app.sideEngines[1]?.log.at(-1)).toBe("dispose");
});

test("a_link_holds_both_programs", async () => {
  const app = await openPrograms();
  const [pair] = SCRIPT_PAIRS;
  await app.actions.showPair(pair?.programs ?? []);
  await settle();
  const link = permalink(app.state());
  expect(link).toMatchObject({ program: "rows", program2: "columns" });
  const other = createApp();
  await other.actions.open(`#${encodePermalink(link)}`);
  await arrived(other);
  expect(
    other
      .state()
      .codeScreen?.programs.map(({ name, waits }) => `${name} ${waits}`),
  ).toEqual(["rows screen", "columns screen"]);
  expect(permalink(other.state())).toEqual(link);
});

test("an_example_is_compared_with_its_partner", async () => {
  const app = await openPrograms("#screen=code", []);
  await app.actions.addProgram();
  expect(programOf(app, 1)).toMatchObject({ name: "columns", waits: "screen" });
});

test("code_that_is_too_long_for_a_link_is_told_when_it_is_shared", async () => {
  const app = await openPrograms();
  app.actions.editProgram(0, { code: "x".repeat(MAX_LINK) });
  await settle();
  expect(programOf(app)).toMatchObject({ packed: undefined, isTooLong: true });
  expect(linkLacks(app.state())).toMatch(
    /^The code is too long for a link: save it as a file/,
  );
  app.actions.editProgram(0, { code: "x".repeat(MAX_LINK - 1) });
  await settle();
  expect(programOf(app)).toMatchObject({ isTooLong: false });
});

const BUILD = { language: "c", level: "1", args: "" } as const;

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

const TRACE = new Blob(["xxxx"]);
const RESULT = {
  accesses: 4,
  output: "",
  status: 0,
  diagnostics: [],
  about: {} as ProgramAbout,
};

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

/** An engine whose counts of lines wait until the test releases them, with the program `one` of 300 accesses. */
async function openCounting() {
  const app = await openPrograms();
  await run(app, 40);
  const [engine] = app.sideEngines;
  const release = engine?.hold("attribution");
  void run(app, 300);
  await settle();
  const counted = () => programOf(app).shown?.attribution?.total.accesses;
  expect([screen(app), counted()]).toEqual([
    "one 300, timeline to 300",
    undefined,
  ]);
  expect(programOf(app).counting).toEqual({ done: 1, total: 2 });
  return { app, engine, release, counted };
}

test("a_run_that_does_not_compile_leaves_the_count_of_lines_alone", async () => {
  const { app, release, counted } = await openCounting();
  app.codeService.outcome = { message: "It threw.", line: 3 };
  await app.actions.runProgram(0);
  expect(programOf(app).counting).toEqual({ done: 1, total: 2 });
  release?.();
  await settle();
  expect([programOf(app).counting, counted()]).toEqual([undefined, 300]);
});

test.each(["cancelled", "failed"])(
  "lines_are_counted_again_after_a_run_that_has_%s",
  async (how) => {
    const { app, engine, release, counted } = await openCounting();
    const go = engine?.hold("run");
    if (how === "failed") engine?.failNext("run", "bad-config");
    const running = run(app, 50);
    await settle();
    if (how === "cancelled") void app.actions.cancelProgram(0);
    await settle();
    release?.();
    go?.();
    await running;
    await settle();
    const { run: ended, counting } = programOf(app);
    expect(ended?.status).toBe(how === "failed" ? "failed" : undefined);
    expect([counting, counted()]).toEqual([undefined, 300]);
    // The counts are those of the pictures, which the engine holds again.
    expect(engine?.log.filter((line) => line.startsWith("import")).length).toBe(
      4,
    );
  },
);

test("a_search_for_a_walk_does_not_end_a_run", async () => {
  const app = await openPrograms();
  await run(app, 300);
  const { shown } = programOf(app);
  const row = { line: 1, file: "", accesses: 3, walks: 1 };
  const rows = [row] as unknown as AttributionView["lines"]["rows"];
  if (!shown?.attribution) throw new Error("The lines are counted.");
  const { codeScreen } = app.state();
  const { attribution } = shown;
  const counts = { ...attribution, lines: { ...attribution.lines, rows } };
  const program = {
    ...programOf(app),
    shown: { ...shown, attribution: counts },
  };
  if (codeScreen)
    app.store.setState({ codeScreen: { ...codeScreen, programs: [program] } });
  const release = app.sideEngines[0]?.hold("run");
  const running = run(app, 40);
  await settle();
  await app.actions.goToLine(0, 1, 1);
  release?.();
  await running;
  expect(screen(app)).toBe("one 40, timeline to 40");
  expect(programOf(app).run).toBeUndefined();
});

test("requests_after_a_cancelled_run_share_one_simulation", async () => {
  const app = await openPrograms();
  await run(app, 300);
  const [engine] = app.sideEngines;
  const release = engine?.hold("run");
  const running = run(app, 40);
  await settle();
  await app.actions.cancelProgram(0);
  release?.();
  await running;
  await Promise.all([
    app.actions.openProgramWindow(0, { from: 100, to: 200 }),
    app.actions.goToOfProgram(0, 299),
  ]);
  expect(screen(app)).toBe("one 300, timeline to 200");
  expect(programOf(app).shown?.step?.index).toBe(299);
  expect(engine?.log.filter((line) => line.startsWith("import")).length).toBe(
    3,
  );
});

test.each(["timeline", "run"] as const)(
  "a_run_whose_%s_was_replaced_ends",
  async (call) => {
    const app = await openPrograms();
    await run(app, 300);
    app.sideEngines[0]?.failNext(call, "cancelled");
    await run(app, 40);
    expect(programOf(app).run).toBeUndefined();
    expect(screen(app)).toBe(
      call === "run" ? "one 300, timeline to 300" : "one 40, timeline to 40",
    );
  },
);

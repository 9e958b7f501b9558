import { expect, test } from "vitest";
import { EngineError } from "../../src/engine/engine";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
import { settle } from "./app";
import { mine, openPrograms, programOf, run, screen } from "./codeApp";

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

test("the_seconds_of_a_run_end_with_the_program_not_with_its_simulation", async () => {
  const app = await openPrograms();
  await run(app, 40);
  const release = app.sideEngines[0]?.hold("run");
  const running = run(app, 50);
  await settle();
  expect(programOf(app).run).toEqual({ status: "running", accesses: 50 });
  release?.();
  await running;
});

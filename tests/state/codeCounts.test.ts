import { expect, test } from "vitest";
import type { AttributionView } from "../../src/engine/generated/AttributionView";
import { settle } from "./app";
import { openPrograms, programOf, run, screen } from "./codeApp";

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

import { expect, test } from "vitest";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { N, settle, startApp } from "./app";

test("after_a_crash_the_same_access_on_the_same_machine_is_shown_and_told", async () => {
  const { actions, engine, state } = await startApp({ access: 42 });
  await actions.choosePages("2M");
  engine.nextRecovery = engine.restored();
  await actions.crash();
  expect(state()).toMatchObject({ stale: false, task: undefined, cursor: 42 });
  expect(state().machine?.name).toBe("Skylake-SP 2M");
  expect(state().configuration?.setup.os.default).toBe("2M");
  expect(state().notices).toMatchObject([
    {
      tone: "error",
      code: "crashed",
      text: "The simulator stopped. It was restarted with your trace and machine, at access 42.",
    },
  ]);
});

test("a_crash_that_comes_again_at_the_same_place_opens_the_shipped_trace", async () => {
  const { actions, engine, state } = await startApp({ access: 42 });
  await actions.importFile({ file: new Blob(["x".repeat(60)]), name: "evil" });
  engine.nextRecovery = engine.restored();
  engine.failNext("seek", "crashed");
  await actions.crash();
  expect(state()).toMatchObject({
    builtIn: BUILT_IN_TRACES[0].id,
    trace: { n_accesses: N },
    stale: false,
  });
  expect(state().notices[0]?.text).toContain("was opened instead");
});

test("a_machine_that_crashes_every_run_gives_way_to_the_default_one", async () => {
  const { actions, engine, state } = await startApp();
  engine.nextRecovery = { outcome: "lost" };
  await actions.chooseCpu("amd-zen2");
  engine.failNext("configure", "crashed");
  await actions.crash();
  expect(state().configuration?.cpu).toBe("intel-skylake-sp");
  expect(state().stale).toBe(false);
});

test.each([
  ["a.csv", "hash of a.csv"],
  ["b.csv", undefined],
])("if_%s_is_restored_the_hash_is_%s", async (name, hash) => {
  const { actions, engine, state } = await startApp();
  await actions.importFile({ file: new Blob(["x".repeat(60)]), name: "a.csv" });
  await settle();
  expect(state().hash).toBe("hash of a.csv");
  const recovery = engine.restored();
  if (recovery.outcome !== "restored") throw new Error("A trace is open.");
  const trace = { ...recovery.trace, name };
  engine.nextRecovery = { ...recovery, trace };
  await actions.crash();
  expect(state().trace?.name).toBe(name);
  expect(state().hash).toBe(hash);
});

test("many_calls_that_fail_with_one_crash_are_told_once", async () => {
  const { actions, engine, state } = await startApp();
  engine.nextRecovery = engine.restored();
  engine.failNext("find", "crashed");
  engine.failNext("timeline", "crashed");
  await Promise.all([
    actions.jump({ what: "walk" }, 1),
    actions.openWindow({ from: 0, to: 100 }),
  ]);
  expect(state().notices).toHaveLength(1);
  expect(state().stale).toBe(false);
});

test("a_crash_that_meets_the_line_of_an_access_restarts_the_simulator", async () => {
  const { actions, engine, state } = await startApp();
  engine.nextRecovery = engine.restored();
  engine.failNext("sourceAt", "crashed");
  await actions.showSource("0x401000");
  expect(state().notices).toMatchObject([
    {
      text: "sourceAt failed. It was restarted with your trace and machine, at access 0.",
    },
  ]);
});

test("running_out_of_memory_is_told_as_such", async () => {
  const { actions, engine, state } = await startApp();
  engine.nextRecovery = engine.restored();
  engine.failNext("import", "out-of-memory");
  await actions.importFile({ file: new Blob(["x"]), name: "huge" });
  expect(state().notices[0]?.code).toBe("out-of-memory");
  expect(state().importing).toBeUndefined();
});

test.each([
  ["what-if", "replay"],
  ["compare", "replay"],
  ["measured", "measured"],
  ["replay", "replay"],
] as const)(
  "after_a_crash_on_%s_the_screen_is_%s_so_that_no_question_is_asked_again",
  async (before, after) => {
    const { actions, engine, state } = await startApp();
    await actions.open(`#screen=${before}`);
    expect(state().screen).toBe(before);
    engine.nextRecovery = engine.restored();
    await actions.crash();
    expect(state().screen).toBe(after);
    expect(state().snapshot).toBeDefined();
  },
);

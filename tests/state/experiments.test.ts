import { expect, test, vi } from "vitest";
import type { Part } from "../../src/engine/generated/Part";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { permalink, replayLink } from "../../src/state/selectors";
import { createApp, N, settle, startApp } from "./app";

test("a_link_opens_the_gallery_and_a_replay_behind_it", async () => {
  const { actions, state } = createApp();
  await actions.open("#screen=experiments");
  expect(state()).toMatchObject({ screen: "experiments", stale: false });
  await vi.waitFor(() => expect(state().experiments).toHaveLength(2));
  expect(Object.keys(state().shipped)).toEqual(["first", "second"]);
  expect(state().experiment).toBeUndefined();
  expect(encodePermalink(permalink(state()))).toBe("screen=experiments");
  expect(state().trace?.n_accesses).toBe(N);
});

test("without_the_shipped_results_the_engine_lists_the_experiments", async () => {
  const { actions, state } = createApp(undefined, undefined, undefined, () =>
    Promise.reject(new Error("offline")),
  );
  await actions.open("#screen=experiments");
  await vi.waitFor(() => expect(state().experiments).toHaveLength(2));
  expect(state().shipped).toEqual({});
});

test("a_link_opens_one_experiment_and_is_written_again", async () => {
  const { actions, state } = createApp();
  const link = "screen=experiments&experiment=second";
  await actions.open(`#${link}`);
  expect(state().experiment).toBe("second");
  expect(encodePermalink(permalink(state()))).toBe(link);
});

test("the_replay_stays_as_it_was_when_its_link_comes_back", async () => {
  const { actions, engine, state } = await startApp();
  await actions.goTo(7);
  const replay = encodePermalink(replayLink(state()));
  await actions.open("#screen=experiments");
  expect(encodePermalink(replayLink(state()))).toBe(replay);
  const before = engine.log.length;
  await actions.open(`#${replay}`);
  expect(state()).toMatchObject({ screen: "replay", cursor: 7 });
  expect(engine.log.slice(before)).toEqual([]);
});

test("playing_stops_where_it_cannot_be_seen", async () => {
  const { actions, state } = await startApp();
  actions.play();
  expect(state().playing).toBe(true);
  await actions.open("#screen=experiments");
  expect(state().playing).toBe(false);
});

test("an_unknown_screen_is_told_and_the_replay_opens", async () => {
  const { actions, state } = createApp();
  await actions.open("#screen=gallery");
  expect(state().screen).toBe("replay");
  expect(state().notices[0]?.text).toMatch(
    /“screen” must be learn, .* not “gallery”/,
  );
});

test("an_experiment_runs_beside_the_replay_and_keeps_its_result", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("experiment");
  const run = actions.runExperiment("first");
  await settle();
  expect(state().experimentStates["first"]).toMatchObject({
    status: "running",
    progress: { done: 1, total: 2 },
  });
  // The experiment is running already, so it is not started twice.
  await actions.runExperiment("first");
  release();
  await run;
  expect(engine.log.filter((line) => line === "experiment first")).toHaveLength(
    1,
  );
  expect(state().experimentStates["first"]).toMatchObject({
    status: "done",
    result: { answer: "Yes." },
  });
  expect(state().trace?.n_accesses).toBe(N);
});

test("all_run_but_those_that_have_a_result", async () => {
  const { actions, engine, state } = createApp();
  await actions.open("#screen=experiments");
  await actions.runExperiment("second");
  engine.log.length = 0;
  await actions.runExperiments();
  expect(engine.log).toEqual(["experiment first"]);
  expect(Object.values(state().experimentStates).map((s) => s.status)).toEqual([
    "done",
    "done",
  ]);
});

test("a_cancelled_experiment_says_so_and_can_run_again", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("experiment");
  const run = actions.runExperiment("first");
  await settle();
  actions.cancelExperiment("first");
  release();
  await run;
  expect(state().experimentStates["first"]).toEqual({ status: "cancelled" });
  expect(state().notices).toEqual([]);
  await actions.runExperiment("first");
  expect(state().experimentStates["first"]?.status).toBe("done");
});

test("what_is_wrong_is_told_where_the_experiment_is", async () => {
  const { actions, engine, state } = await startApp();
  engine.failNext("experiment", "bad-config", "experiment");
  await actions.runExperiment("first");
  expect(state().experimentStates["first"]).toEqual({
    status: "failed",
    why: "experiment failed (at `experiment`).",
  });
  expect(state().notices).toEqual([]);
});

test("after_a_trap_the_replay_is_restored_and_the_experiment_failed", async () => {
  const { actions, engine, state } = await startApp();
  engine.failNext("experiment", "crashed");
  engine.nextRecovery = engine.restored();
  await actions.runExperiment("first");
  expect(state().experimentStates["first"]).toMatchObject({ status: "failed" });
  expect(state().notices[0]?.text).toContain("It was restarted");
  expect(state()).toMatchObject({ stale: false, task: undefined });
});

const PART: Part = {
  name: "90 bytes, 2M",
  workload: "uniform",
  params: { accesses: "90" },
  machine: {
    name: "Zen 2",
    l1: [{ name: "L1", entries: 32, ways: 4 }],
    l2: [],
    inclusion: "nine",
    psc: {},
    latency: { l2_hit: 7, walk_overhead: 0 },
    memory: { data: false, caches: [], dram: 200 },
    walkers: 1,
    seed: 1,
  },
  os: { default: "2M", regions: [], frames: "sequential" },
  window: { skip: 0, warmup: 30 },
};

test("a_part_opens_as_a_replay_on_its_machine_with_its_warm_up", async () => {
  const { actions, state } = createApp();
  await actions.open("#screen=experiments&experiment=first");
  const before = state().configuration;
  await actions.openPart(PART);
  expect(state()).toMatchObject({
    screen: "replay",
    experiment: undefined,
    trace: { n_accesses: 90 },
    workload: { id: "uniform", params: { accesses: "90" } },
    configuration: {
      cpu: "amd-zen2",
      setup: { machine: PART.machine, os: PART.os, window: PART.window },
    },
    stale: false,
  });
  expect(permalink(state())).toMatchObject({
    workload: { id: "uniform" },
    cpu: "amd-zen2",
    count: { warmup: 30 },
  });
  await actions.undo();
  expect(state().configuration).toEqual(before);
});

test("the_page_how_we_know_runs_every_check_once_and_keeps_failures_apart", async () => {
  const { actions, engine, state } = createApp();
  const link = `screen=experiments&experiment=how-we-know`;
  await actions.open(`#${link}`);
  await settle();
  await vi.waitFor(() =>
    expect(state().oracleStates).toMatchObject({
      2: { status: "done", result: { agrees: true } },
      30: { status: "failed", why: "its machine is wrong" },
    }),
  );
  expect(state().notices).toEqual([]);
  expect(encodePermalink(permalink(state()))).toBe(link);
  const before = engine.log.length;
  await actions.open("#screen=experiments");
  await actions.open(`#${link}`);
  await settle();
  expect(engine.log.slice(before)).toEqual([]);
});

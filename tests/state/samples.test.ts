import { expect, test, vi } from "vitest";
import {
  decodePermalink,
  encodePermalink,
} from "../../src/model/permalink/permalink";
import { linkLacks } from "../../src/state/start/linkLacks";
import { isGated, permalink } from "../../src/state/selectors";
import { N, createApp, settle, startApp } from "./app";

const file = (bytes: number) => new Blob(["x".repeat(bytes)]);

async function withSamples(name = "mem.data") {
  const app = await startApp();
  await app.actions.importFile({ file: file(90), name });
  await vi.waitFor(() => expect(app.state().hash).toBeDefined());
  return app;
}

test("samples_open_on_a_screen_of_their_own_and_a_list_of_accesses_does_not", async () => {
  const { actions, state } = await withSamples();
  expect(state()).toMatchObject({ screen: "samples", stale: false });
  await actions.importFile({ file: file(90), name: "a.csv" });
  expect(state().screen).toBe("replay");
});

test("without_samples_an_example_is_counted_beside_the_replay_until_there_are_some", async () => {
  const { actions, engine, sideEngines, state } = await startApp();
  await actions.open("#screen=samples");
  const { trace } = state();
  await actions.openSamplesExample();
  await actions.openSamplesExample();
  await actions.survey();
  expect(sideEngines).toHaveLength(1);
  const [side] = sideEngines;
  expect(side?.log).toContain("import seq 60000 | sort -R | sort -n");
  expect(side?.log.at(-1)).toMatch(/^survey /);
  expect(engine.log.join()).not.toContain("survey");
  expect(state()).toMatchObject({ trace, survey: { status: "done" } });
  expect(linkLacks(state())).toBeUndefined();
  await actions.importFile({ file: file(90), name: "mem.data" });
  await actions.closeSamplesExample();
  await actions.survey();
  expect(engine.log.at(-1)).toMatch(/^survey /);
  expect(state().samplesExample).toBeUndefined();
});

test("the_example_has_a_link_of_its_own", async () => {
  const { actions, engine, state } = createApp();
  const link = "screen=samples&trace=sort-profile";
  await actions.open(`#${link}`);
  expect(engine.log).toContain("import seq 60000 | sort -R | sort -n");
  expect(state()).toMatchObject({ screen: "samples", builtIn: "sort-profile" });
  expect(encodePermalink(permalink(state()))).toContain(link);
});

test("an_example_that_cannot_be_read_leaves_the_screen_with_its_advice", async () => {
  const { actions, sideEngines, state } = await startApp();
  const before = sideEngines.push.bind(sideEngines);
  sideEngines.push = (side) => {
    side.failNext("import", "bad-trace");
    return before(side);
  };
  await actions.openSamplesExample();
  expect(state().samplesExample).toBe("failed");
  sideEngines.push = before;
  await actions.openSamplesExample();
  expect(state().samplesExample).toMatchObject({ n_accesses: 300 });
});

test("their_link_opens_them_again_on_the_same_screen", async () => {
  const first = await withSamples();
  const link = encodePermalink(permalink(first.state()));
  expect(link).toMatch(/^screen=samples&file=mem.data&hash=/);
  const second = createApp(first.kept);
  await second.actions.open(`#${link}`);
  expect(second.state()).toMatchObject({
    screen: "samples",
    trace: { name: "mem.data", samples: 90 },
    notices: [],
  });
  expect(encodePermalink(permalink(second.state()))).toBe(link);
});

test("the_screens_of_one_trace_are_gone_through_without_opening_it_again", async () => {
  const { actions, engine, state } = await withSamples();
  const { trace } = state();
  const before = engine.log.length;
  await actions.open("#screen=samples");
  const { screen, ...replay } = permalink(state());
  expect(screen).toBe("samples");
  await actions.open(`#${encodePermalink(replay)}`);
  expect(state().screen).toBe("replay");
  await actions.open(`#${encodePermalink({ screen: "samples", ...replay })}`);
  expect(state()).toMatchObject({ screen: "samples", trace });
  expect(engine.log.length).toBe(before);
  expect(decodePermalink("#screen=samples")).toEqual({ screen: "samples" });
});

test("a_replay_of_samples_has_to_be_asked_for_and_another_trace_has_another_answer", async () => {
  const { actions, state } = await withSamples();
  expect(isGated(state())).toBe(true);
  actions.replayAsConsecutive();
  expect(state().screen).toBe("replay");
  expect(isGated(state())).toBe(false);
  await actions.importFile({ file: file(90), name: "other.data" });
  expect(isGated(state())).toBe(true);
  await actions.importFile({ file: file(90), name: "a.csv" });
  expect(isGated(state())).toBe(false);
});

test("samples_are_compared_only_when_that_is_asked_for_and_the_screen_stays", async () => {
  const { actions, state } = await withSamples();
  await actions.open("#screen=compare");
  expect(state().screen).toBe("compare");
  expect(isGated(state())).toBe(true);
  actions.replayAsConsecutive();
  expect(state().screen).toBe("compare");
  expect(isGated(state())).toBe(false);
});

test("a_recording_without_accesses_opens_and_has_no_replay", async () => {
  const { actions, engine, state } = await withSamples("only.cycles.data");
  expect(state()).toMatchObject({
    screen: "samples",
    trace: { n_accesses: 0, samples: 90 },
    snapshot: undefined,
    timeline: undefined,
    stale: false,
    task: undefined,
    notices: [],
  });
  actions.replayAsConsecutive();
  expect(isGated(state())).toBe(true);
  // With another machine, there is also no access to show.
  const before = engine.log.length;
  await actions.chooseCpu("amd-zen2");
  expect(engine.log.slice(before)).toEqual(["configure Zen 2 4K", "run"]);
  expect(state()).toMatchObject({ stale: false, notices: [] });
});

test("samples_are_counted_once_for_each_choice_and_machine", async () => {
  const { actions, engine, state } = await withSamples();
  const surveys = () => engine.log.filter((call) => call.startsWith("survey"));
  await actions.survey();
  await actions.survey();
  expect(surveys()).toEqual(["survey Skylake-SP,all"]);
  expect(state().survey).toMatchObject({ status: "done" });
  await actions.chooseSamples({ who: "user", event: 1 });
  await actions.chooseCpu("amd-zen2");
  await actions.survey();
  expect(surveys().slice(1)).toEqual([
    "survey Skylake-SP,user,1",
    "survey Zen 2,user,1",
  ]);
});

test("the_numbers_of_before_stay_while_others_are_counted", async () => {
  const { actions, engine, state } = await withSamples();
  await actions.survey();
  const { report } = state().survey ?? {};
  const release = engine.hold("survey");
  const counting = actions.chooseSamples({ who: "kernel" });
  await settle();
  expect(state().survey).toMatchObject({ status: "running", report });
  // Samples of another trace are not shown.
  const other = actions.importFile({ file: file(90), name: "other.data" });
  await other;
  const secondCount = actions.survey();
  await settle();
  expect(state().survey).toMatchObject({ status: "running" });
  expect(state().survey?.report).toBeUndefined();
  release();
  await Promise.all([counting, secondCount]);
  expect(state().survey).toMatchObject({ status: "done" });
});

test("counting_can_be_cancelled_and_begun_again", async () => {
  const { actions, engine, state } = await withSamples();
  const release = engine.hold("survey");
  const counting = actions.survey();
  await settle();
  expect(state().survey).toMatchObject({
    status: "running",
    progress: { done: 1 },
  });
  actions.cancelSurvey();
  release();
  await counting;
  expect(state().survey).toMatchObject({ status: "cancelled" });
  expect(state().notices).toEqual([]);
  await actions.survey();
  expect(state().survey).toMatchObject({ status: "done" });
});

test("why_samples_cannot_be_counted_is_told_where_they_would_be", async () => {
  const { actions, engine, state } = await withSamples();
  engine.failNext("survey", "bad-trace");
  await actions.survey();
  expect(state().survey).toEqual({ status: "failed", why: "survey failed." });
  expect(state().notices).toEqual([]);
});

test("a_kept_recording_opens_on_its_screen", async () => {
  const { actions, state } = await withSamples();
  await actions.importFile({ file: file(N), name: "a.csv" });
  await settle();
  await actions.openKept("hash of mem.data");
  expect(state()).toMatchObject({
    screen: "samples",
    trace: { name: "mem.data" },
  });
  await actions.openKept("hash of a.csv");
  expect(state()).toMatchObject({ screen: "replay", trace: { name: "a.csv" } });
});

test("a_link_restores_which_samples_count", async () => {
  const first = await withSamples();
  await first.actions.chooseSamples({ who: "user", event: 1 });
  const link = encodePermalink(permalink(first.state()));
  expect(link).toMatch(/^screen=samples&samples=user,1&file=/);
  const second = createApp(first.kept);
  await second.actions.open(`#${link}`);
  expect(second.state().surveyChoice).toEqual({ who: "user", event: 1 });
  expect(encodePermalink(permalink(second.state()))).toBe(link);
});

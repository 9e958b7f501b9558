import { expect, test } from "vitest";
import {
  encodePermalink,
  decodePermalink,
} from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { N, createApp, settle, startApp } from "./app";

test("it_opens_on_the_shipped_trace_and_a_short_one_at_its_first_access", async () => {
  const { state } = await startApp();
  expect(state()).toMatchObject({
    builtIn: BUILT_IN_TRACES[0].id,
    stale: false,
    task: undefined,
    cursor: 0,
    window: { from: 0, to: N },
    timeline: { view: { from: 0, to: N } },
  });
});

test("a_link_opens_its_machine_pages_access_and_window", async () => {
  const { state } = await startApp({
    trace: BUILT_IN_TRACES[0].id,
    cpu: "amd-zen2",
    machine: { seed: 7 },
    os: { default: "2M", regions: [], frames: "sequential" },
    access: 42,
    window: { from: 10, to: 90 },
  });
  expect(state().configuration).toMatchObject({
    cpu: "amd-zen2",
    setup: { machine: { name: "Zen 2", seed: 7 }, os: { default: "2M" } },
  });
  expect(state().snapshot?.step.index).toBe(42);
  expect(state().window).toEqual({ from: 10, to: 90 });
});

test("the_link_of_what_is_shown_opens_the_same_again", async () => {
  const first = await startApp({ cpu: "amd-zen2", access: 17 });
  await first.actions.choosePages("1G");
  const hash = encodePermalink(permalink(first.state()));
  const second = await startApp(decodePermalink(hash));
  expect(permalink(second.state())).toEqual(permalink(first.state()));
});

test("a_link_to_a_file_says_which_one_is_missing", async () => {
  const { state } = await startApp({ file: "mine.log", access: 17 });
  expect(state().notices[0]?.text).toContain("“mine.log”");
  expect(state().cursor).toBe(0);
});

test("a_link_to_an_unknown_cpu_opens_the_default_one_and_says_so", async () => {
  const { state } = await startApp({ cpu: "z80" });
  expect(state().notices[0]?.text).toContain("“z80”");
  expect(state().configuration?.cpu).toBe("intel-skylake-sp");
});

test("a_link_with_a_machine_that_cannot_be_opens_the_default_one", async () => {
  const app = createApp();
  app.engine.failNext("configure", "bad-config", "l1");
  await app.actions.start({ cpu: "amd-zen2", machine: { l1: [] } });
  expect(app.state().configuration?.cpu).toBe("intel-skylake-sp");
  expect(app.state().notices[0]).toMatchObject({
    tone: "error",
    code: "bad-config",
    at: { field: "l1" },
  });
  expect(app.state().snapshot).toBeDefined();
});

test("a_link_with_pages_that_its_cpu_lacks_keeps_the_cpu", async () => {
  const app = createApp();
  app.engine.failNext("configure", "bad-config", "os.default");
  await app.actions.start({
    cpu: "amd-zen2",
    os: { default: "16M", regions: [], frames: "sequential" },
  });
  expect(app.state().machine?.name).toBe("Zen 2 4K");
  expect(app.state().notices[0]?.text).toContain(
    "Memory was set to native pages of 4K;",
  );
});

test("an_access_after_the_end_of_the_trace_is_told", async () => {
  const { state } = await startApp({ access: 99_999_999 });
  expect(state().cursor).toBe(N - 1);
  expect(state().notices[0]?.text).toBe(
    "The link’s access 99,999,999 does not exist. The last one, 299, is shown.",
  );
});

test("the_last_access_of_the_trace_can_be_linked", async () => {
  const { state } = await startApp({ access: N - 1 });
  expect(state().cursor).toBe(N - 1);
  expect(state().notices).toEqual([]);
});

test("a_window_up_to_the_end_of_the_trace_stays_when_the_machine_changes", async () => {
  const { actions, state } = await startApp({ window: { from: 10, to: N } });
  await actions.choosePages("2M");
  expect(state().window).toEqual({ from: 10, to: N });
});

test("a_timeline_that_a_newer_one_overtakes_does_not_undo_the_link", async () => {
  const app = createApp();
  app.engine.failNext("timeline", "cancelled");
  await app.actions.start({
    cpu: "amd-zen2",
    access: 17,
    window: { from: 10, to: 90 },
  });
  expect(app.state().notices).toEqual([]);
  expect(app.state().configuration?.cpu).toBe("amd-zen2");
  expect(app.state().cursor).toBe(17);
  // The steps after the first timeline are done, too.
  expect(app.state().window).toEqual({ from: 10, to: 90 });
});

test("a_link_that_something_newer_overtakes_is_not_told_as_refused", async () => {
  const app = createApp();
  app.engine.failNext("run", "cancelled");
  await app.actions.start({ cpu: "amd-zen2" });
  expect(app.state().notices).toEqual([]);
  expect(app.state().configuration?.cpu).toBe("amd-zen2");
});

test("a_link_without_pages_gets_the_smallest_of_its_machine", async () => {
  const { state } = await startApp({
    cpu: "amd-zen2",
    machine: { paging: { offset_bits: 16, index_bits: [13, 13, 6] } },
  });
  expect(state().configuration?.setup.os.default).toBe("64K");
});

test("what_the_first_picture_does_not_need_comes_afterwards", async () => {
  const { engine, actions, state } = await startApp();
  const before = state().cpus;
  await actions.loadRest();
  // The small module has no sources, so the models come again from the whole one.
  expect(engine.log.slice(-2)).toEqual(["prefetch", "cpus"]);
  expect(state().cpus).toEqual(before);
});

test("that_it_cannot_be_fetched_is_no_news_before_it_is_needed", async () => {
  const { engine, actions, state } = await startApp();
  const before = state();
  engine.failNext("prefetch", "unsupported");
  await actions.loadRest();
  expect(state()).toEqual(before);
});

test("a_link_that_is_quoted_in_full_would_fill_the_screen", async () => {
  const { actions, state } = createApp();
  await actions.open(`#access=${"x".repeat(100_000)}`);
  expect(state().notices[0]?.text.length).toBeLessThan(400);
  expect(state().snapshot).toBeDefined();
});

test("an_error_that_no_check_expects_is_told_and_the_first_example_opens", async () => {
  const { actions, engine, state } = createApp();
  engine.inspect = () => {
    engine.inspect = () => {};
    throw new RangeError("Maximum call stack size exceeded");
  };
  await actions.open("#cpu=amd-zen2");
  expect(state().notices[0]).toMatchObject({
    tone: "error",
    text: "The link cannot be opened: Maximum call stack size exceeded. This is a bug of Pagewalk.",
  });
  expect(state()).toMatchObject({
    builtIn: BUILT_IN_TRACES[0].id,
    task: undefined,
    stale: false,
  });
});

test("an_open_replay_stays_after_a_link_with_such_an_error", async () => {
  const { actions, engine, state } = await startApp({ access: 42 });
  engine.inspect = () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  await actions.open("#cpu=amd-zen2");
  expect(state().notices).toHaveLength(1);
  expect(state()).toMatchObject({ cursor: 42, task: undefined });
});

const uniform = (accesses: number) => ({
  id: "uniform",
  params: { accesses: String(accesses) },
});

test.each(["generate", "run"] as const)(
  "a_trace_that_fails_to_%s_gives_way_to_the_first_example_on_the_links_machine",
  async (call) => {
    const app = createApp();
    const { engine } = app;
    // The trace fails on every machine, but another trace does not.
    let isOther = true;
    engine.inspect = (name) => {
      if (name === "generate") isOther = false;
      if (name === "open") isOther = true;
      if (name === call && !isOther) engine.failNext(call, "too-large");
    };
    await app.actions.start({
      workload: uniform(90),
      cpu: "amd-zen2",
      access: 7,
      window: { from: 1, to: 5 },
    });
    expect(app.state()).toMatchObject({
      builtIn: BUILT_IN_TRACES[0].id,
      configuration: { cpu: "amd-zen2" },
      window: { from: 0, to: N },
      stale: false,
    });
    expect(app.state().notices.map(({ text }) => text)).toEqual([
      `The link’s trace cannot be opened: ${call} failed. “${BUILT_IN_TRACES[0].title}” is shown.`,
    ]);
  },
);

test("a_trace_that_cannot_be_made_is_made_once", async () => {
  const app = createApp();
  app.engine.failNext("generate", "too-large");
  await app.actions.start({ workload: uniform(90), cpu: "amd-zen2" });
  const made = app.engine.log.filter((line) => line.startsWith("generate"));
  expect(made).toHaveLength(1);
});

test("a_long_trace_of_a_link_is_generated_only_after_a_press", async () => {
  const { engine, state } = await startApp({
    workload: uniform(20_000_001),
    access: 77,
  });
  expect(engine.log).not.toContain("generate uniform");
  expect(state()).toMatchObject({ builtIn: BUILT_IN_TRACES[0].id });
  const [notice, ...more] = state().notices;
  expect(more).toEqual([]);
  expect(notice?.text).toContain("has 20,000,001 accesses");
  notice?.button?.onPress();
  await settle();
  expect(state()).toMatchObject({
    trace: { name: "uniform", n_accesses: 20_000_001 },
    cursor: 77,
    notices: [],
  });
});

test("a_shorter_trace_of_a_link_is_generated_at_once", async () => {
  const { state } = await startApp({ workload: uniform(20_000_000) });
  expect(state().trace?.name).toBe("uniform");
  expect(state().notices).toEqual([]);
});

import { expect, test, vi } from "vitest";
import { EngineError } from "../../src/engine/engine";
import { MAX_LINK } from "../../src/model/code/code";
import { STAT_EXAMPLES } from "../../src/model/measured/examples";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { linkLacks, permalink } from "../../src/state/selectors";
import { createApp, N, settle, startApp } from "./app";
import { fakeKept } from "./fakeKept";
import { fakeKeptStat } from "./fakeKeptStat";

const measures = (log: readonly string[]) =>
  log.filter((line) => line.startsWith("measure"));

test("counters_are_read_beside_the_run_and_the_machine", async () => {
  const { actions, engine, state } = await startApp();
  await actions.openMeasured("mine.txt", new Blob(["cycles"]));
  expect(state()).toMatchObject({
    screen: "measured",
    measured: { name: "mine.txt", text: "cycles", view: { of: "cycles" } },
  });
  expect(measures(engine.log)).toEqual([`measure any intel-skylake-sp ${N}`]);
});

test("a_run_that_counts_a_part_is_not_set_beside_as_a_whole", async () => {
  const { actions, engine } = await startApp();
  await actions.setRunWindow({ skip: 30, warmup: 0, limit: 100 });
  await actions.openMeasured("mine.txt", "cycles");
  expect(measures(engine.log).at(-1)).toMatch(/ of a part$/);
});

test("another_family_is_asked_for_and_given_back", async () => {
  const { actions, engine, state } = await startApp();
  await actions.openMeasured("pasted text", "cycles");
  await actions.chooseFamily("amd-zen");
  expect(state().measured?.view?.family?.id).toBe("amd-zen");
  await actions.chooseFamily(undefined);
  expect(state().measured?.view?.family).toBeNull();
  expect(measures(engine.log).at(-2)).toContain("measure amd-zen");
});

test("output_of_perf_stat_that_is_imported_is_shown_here", async () => {
  const { actions, engine, state } = await startApp();
  engine.failNext("import", "counters");
  let wasRead = false;
  await actions.importFile({
    file: new Blob(["cycles"]),
    name: "stat.txt",
    onRead: () => (wasRead = true),
  });
  await settle();
  expect(wasRead).toBe(true);
  expect(state().notices).toEqual([]);
  expect(state()).toMatchObject({
    screen: "measured",
    importing: undefined,
    measured: { name: "stat.txt", view: { of: "cycles" } },
  });
  // The replay did not change.
  expect(state().trace?.n_accesses).toBe(N);
});

test("output_of_perf_stat_that_is_chosen_or_dropped_is_shown_here_and_is_no_draft", async () => {
  const { actions, state } = await startApp();
  const source = { file: new Blob(["cycles"]), name: "stat.txt" };
  let found = 0;
  await actions.lookAt(source, () => (found += 1));
  expect(found).toBe(1);
  expect(state()).toMatchObject({ draft: undefined, screen: "measured" });
  await actions.clearMeasured();
  expect(await actions.dropFile([source])).toBe(false);
  expect(state()).toMatchObject({
    draft: undefined,
    importing: undefined,
    measured: { name: "stat.txt", view: { of: "cycles" } },
    notices: [],
  });
});

test("what_is_no_output_of_perf_stat_is_told_in_place", async () => {
  const { actions, engine, state } = await startApp();
  engine.failures.set(
    "measure",
    new EngineError("unknown-format", "No counter in it", { line: 3 }),
  );
  await actions.openMeasured("pasted text", "nothing");
  expect(state().measured).toMatchObject({
    problem: "No counter in it (at line 3)",
    view: undefined,
  });
  expect(state().notices).toEqual([]);
  await actions.openMeasured("perf.data", new Blob(["PERFILE2\0\0"]));
  expect(state().measured?.problem).toMatch(/^This is no text/);
});

test("a_reload_finds_what_was_read_and_clearing_forgets_it", async () => {
  const keptStat = fakeKeptStat();
  const first = createApp(fakeKept(), keptStat);
  await first.actions.start();
  await first.actions.openMeasured("mine.txt", "cycles");
  await first.actions.chooseFamily("amd-zen");
  const reopened = createApp(fakeKept(), keptStat);
  await reopened.actions.open(encodePermalink(permalink(first.state())));
  expect(reopened.state()).toMatchObject({
    screen: "measured",
    cursor: first.state().cursor,
    measured: { name: "mine.txt", text: "cycles", family: "amd-zen" },
  });
  await reopened.actions.measure();
  expect(reopened.state().measured?.view?.of).toBe("cycles");
  await reopened.actions.clearMeasured();
  expect(reopened.state().measured).toBeUndefined();
  expect(keptStat.get()).toBeUndefined();
});

test("without_counters_an_example_is_open_and_its_link_opens_it_as_one", async () => {
  const keptStat = fakeKeptStat();
  const { actions, state } = createApp(fakeKept(), keptStat);
  const example = () => state().measured?.example;
  await actions.open("#screen=measured");
  const [first, second] = STAT_EXAMPLES;
  await vi.waitFor(() => expect(state().measured?.view?.of).toBe(first.text));
  expect(example()).toBe(first.id);
  expect(keptStat.get()).toBeUndefined();
  await actions.openStatExample(second?.id ?? "");
  await settle();
  const link = encodePermalink(permalink(state()));
  const others = createApp();
  await others.actions.open(`#${link}`);
  await vi.waitFor(() =>
    expect(others.state().measured?.example).toBe(second?.id),
  );
  await actions.openMeasured("mine.txt", "cycles");
  expect(example()).toBeUndefined();
  expect(keptStat.get()?.name).toBe("mine.txt");
  await actions.clearMeasured();
  await vi.waitFor(() => expect(example()).toBe(first.id));
});

test.each([
  ["the_first_choice", undefined, "amd-zen"],
  ["a_second_choice", "amd-zen", "intel-nehalem"],
  ["a_choice_that_is_taken_back", "amd-zen", undefined],
] as const)(
  "a_reload_right_after_%s_keeps_it_though_the_address_does_not_have_it_yet",
  async (_, older, newest) => {
    const keptStat = fakeKeptStat();
    const first = createApp(fakeKept(), keptStat);
    await first.actions.start();
    await first.actions.openMeasured("mine.txt", "cycles");
    await first.actions.chooseFamily(older);
    await settle();
    const address = encodePermalink(permalink(first.state()));
    expect(address).toContain("stat=cycles!");
    await first.actions.chooseFamily(newest);
    const reopened = createApp(fakeKept(), keptStat);
    await reopened.actions.open(address);
    await settle();
    expect(reopened.state().measured?.family).toBe(newest);
    // A link that is opened later means what it says.
    const { packed } = reopened.state().measured ?? {};
    const link = `#screen=measured&stat=${packed ?? ""}`;
    for (const [said, family] of [
      ["&family=intel-skylake", "intel-skylake"],
      ["", undefined],
    ] as const) {
      await reopened.actions.open(link + said);
      await settle();
      expect(reopened.state().measured?.family).toBe(family);
    }
  },
);

test("the_link_of_the_screen_alone_keeps_the_replay", async () => {
  const { actions, engine, state } = await startApp({ access: 7 });
  const runs = () => engine.log.filter((line) => line === "run").length;
  await actions.open("screen=measured");
  expect(state().screen).toBe("measured");
  expect(runs()).toBe(1);
  expect(permalink(state())).toMatchObject({ screen: "measured", access: 7 });
  await actions.open(`screen=measured&trace=matmul24`);
  expect(runs()).toBe(2);
});

test("an_answer_to_a_text_of_before_is_not_shown", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("measure");
  const first = actions.openMeasured("one", "one");
  await settle();
  const second = actions.openMeasured("two", "two");
  release();
  await Promise.all([first, second]);
  expect(state().measured).toMatchObject({ name: "two", view: { of: "two" } });
});

test("a_link_holds_what_perf_stat_printed_and_whose_events_they_are", async () => {
  const first = await startApp();
  await first.actions.openMeasured("mine.txt", "cycles");
  await first.actions.chooseFamily("amd-zen");
  await settle();
  const link = encodePermalink(permalink(first.state()));
  expect(link).toContain("stat=cycles!&stat-name=mine.txt&family=amd-zen");
  const second = createApp();
  await second.actions.open(`#${link}`);
  await settle();
  expect(second.state().measured).toMatchObject({
    name: "mine.txt",
    text: "cycles",
    family: "amd-zen",
  });
  expect(encodePermalink(permalink(second.state()))).toBe(link);
  expect(linkLacks(second.state())).toBeUndefined();
});

test("counters_that_are_too_long_for_a_link_stay_and_are_told", async () => {
  const { actions, state } = await startApp();
  await actions.openMeasured("long", "x".repeat(MAX_LINK));
  await settle();
  expect(encodePermalink(permalink(state()))).not.toContain("stat=");
  expect(linkLacks(state())).toMatch(/^The output of perf stat is too long/);
});

test("counters_that_are_read_while_those_of_a_link_are_unpacked_stay", async () => {
  const { actions, codeService, state } = await startApp();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  codeService.unpack = async () => {
    await held;
    return "those of the link";
  };
  await actions.open("#screen=measured&stat=theirs!");
  await actions.openMeasured("mine.txt", "cycles");
  release();
  await settle();
  expect(state().measured).toMatchObject({ name: "mine.txt", text: "cycles" });
});

test("counters_of_a_link_do_not_replace_those_that_the_tab_keeps", async () => {
  const keptStat = fakeKeptStat();
  const { actions, state } = createApp(fakeKept(), keptStat);
  await actions.start();
  await actions.openMeasured("mine.txt", "cycles");
  await actions.open("#screen=measured&stat=theirs!");
  await settle();
  expect(state().measured?.text).toBe("theirs");
  await actions.chooseFamily("amd-zen");
  expect(keptStat.get()).toMatchObject({ name: "mine.txt", text: "cycles" });
  await actions.clearMeasured();
  expect(keptStat.get()?.text).toBe("cycles");
});

test("a_link_that_was_cut_leaves_the_counters_that_were_there", async () => {
  const { actions, state } = await startApp();
  await actions.openMeasured("mine.txt", "cycles");
  await actions.open("#screen=measured&stat=cut");
  await settle();
  expect(state().measured?.text).toBe("cycles");
  expect(state().notices.at(-1)?.text).toBe(
    "The counters of the link cannot be read: was the link cut short?",
  );
});

import { expect, test, vi } from "vitest";
import { encodePermalink } from "../../src/model/permalink/permalink";
import type { SavedRun } from "../../src/model/compare/savedRun";
import { ALL_SAMPLES } from "../../src/model/samples/state";
import { changed, keyOf, NO_WHAT_IF } from "../../src/model/whatif/questions";
import { VERSION } from "../../src/model/shared/version";
import { rightOf } from "../../src/state/compare/right";
import { runToSave } from "../../src/state/compare/runToSave";
import { permalink, replayPage } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { createApp, settle, startApp } from "./app";
import type { FakeKept } from "./fakeKept";

const [shipped] = BUILT_IN_TRACES;
const file = (bytes: number) => new Blob(["x".repeat(bytes)]);
const words = (name: string) => ({ name, note: "" });

/** Creates an app with saved runs of the open trace, which have these names. */
async function withRuns(...names: string[]) {
  const app = await startApp();
  for (const name of names) {
    await app.actions.saveRun(words(name));
    await app.tick(1000);
  }
  const idOf = (name: string) => {
    const run = app.state().saved.runs?.find((each) => each.name === name);
    if (!run) throw new Error(`There is no ${name}.`);
    return run.id;
  };
  return { ...app, idOf, names: () => app.state().saved.runs?.map(nameOf) };
}

const nameOf = ({ name }: { name: string }) => name;

test("a_run_is_saved_with_its_machine_trace_and_counts", async () => {
  const app = await withRuns("first");
  expect(app.state().saved.runs).toMatchObject([
    {
      name: "first",
      note: "",
      program: VERSION,
      cpu: "intel-skylake-sp",
      trace: {
        name: shipped.title,
        hash: `hash of ${shipped.title}`,
        link: { trace: shipped.id },
      },
      report: { regions: [] },
    },
  ]);
  expect(app.state().notices.at(-1)?.text).toBe(
    "“first” is saved. Find it under Compare, Saved runs.",
  );
  // A new page in the same browser, with the same storage.
  const later = createApp(undefined, undefined, app.savedRuns);
  await later.actions.loadRuns();
  expect(later.state().saved.runs).toEqual(app.state().saved.runs);
});

test("while_a_run_is_under_way_there_is_none_to_save", async () => {
  const app = await startApp();
  expect(runToSave(app.state())).toBeDefined();
  const release = app.engine.hold("run");
  const changed = app.actions.chooseCpu("amd-zen2");
  await settle();
  expect(runToSave(app.state())).toBeUndefined();
  expect(await app.actions.saveRun(words("a"))).toBe(
    "There is no run on the screen.",
  );
  release();
  await changed;
});

test("on_the_what_if_screen_the_machine_that_is_tried_is_saved", async () => {
  const app = await startApp();
  await app.actions.open("#screen=what-if");
  const { configuration } = app.state();
  if (!configuration) throw new Error("There is one.");
  const { cpu, setup } = configuration;
  const machine = { ...setup.machine, walkers: 2 };
  await app.actions.changeWhatIf({ ...setup, machine });
  const to = changed(setup, cpu, app.state().whatIf.view.change);
  expect(runToSave(app.state())).toBeUndefined();
  await app.actions.tryRun(to);
  expect(app.state().whatIf.runs[keyOf(to)]?.status).toBe("done");
  await app.actions.saveRun(words("two walkers"));
  expect(app.state().saved.runs?.[0]?.setup.machine.walkers).toBe(2);
});

test("runs_are_named_anew_deleted_and_put_back", async () => {
  const app = await withRuns("a", "b");
  expect(app.names()).toEqual(["b", "a"]);
  await app.actions.renameRun(app.idOf("a"), { name: "c", note: "why" });
  expect(app.state().saved.runs?.[1]).toMatchObject({ name: "c", note: "why" });
  await app.actions.deleteRuns([app.idOf("b"), app.idOf("c")]);
  expect(app.names()).toEqual([]);
  expect(app.state().saved.deleted).toHaveLength(2);
  await app.actions.putBackRuns();
  expect(app.names()).toEqual(["b", "c"]);
  expect(app.state().saved.deleted).toEqual([]);
});

test.each([
  ["no-room", /the browser gives this page no more space/],
  ["not-allowed", /as in a private window/],
  ["newer", /a newer version of Pagewalk/],
  ["failed", /the browser reports: It broke\./],
] as const)("%s_is_told", async (failure, why) => {
  const app = await withRuns("a");
  app.savedRuns.failure = failure;
  expect(await app.actions.saveRun(words("b"))).toMatch(why);
  expect(app.state().saved).toMatchObject({ runs: [] });
  expect(app.state().saved.problem).toMatch(/^No runs can be saved: /);
  app.savedRuns.failure = undefined;
  await app.actions.loadRuns();
  expect(app.names()).toEqual(["a"]);
  expect(app.state().saved.problem).toBeUndefined();
});

test("a_run_of_the_open_trace_brings_back_its_machine_and_can_be_undone", async () => {
  const app = await withRuns("skylake");
  await app.actions.chooseCpu("amd-zen2");
  app.engine.log.length = 0;
  await app.actions.openRun(app.idOf("skylake"));
  expect(app.state().configuration?.cpu).toBe("intel-skylake-sp");
  expect(app.engine.log).not.toContain(`open ${shipped.title}`);
  await app.actions.undo();
  expect(app.state().configuration?.cpu).toBe("amd-zen2");
});

test("a_run_of_an_imported_trace_opens_it_where_it_is_kept", async () => {
  const app = await withRuns("chase");
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await vi.waitFor(() => expect(app.state().hash).toBe("hash of a.csv"));
  await app.actions.saveRun(words("mine"));
  await app.actions.openRun(app.idOf("chase"));
  expect(app.state()).toMatchObject({ builtIn: shipped.id, screen: "replay" });
  await app.actions.openRun(app.idOf("mine"));
  expect(app.state()).toMatchObject({
    trace: { name: "a.csv" },
    hash: "hash of a.csv",
  });
});

test("a_run_whose_trace_is_gone_says_which_and_shows_its_machine", async () => {
  const app = await withRuns();
  await app.actions.chooseCpu("amd-zen2");
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  await app.actions.saveRun(words("mine"));
  await app.actions.openBuiltIn(shipped);
  await app.actions.chooseCpu("intel-skylake-sp");
  await app.actions.deleteKept("hash of a.csv");
  await app.actions.openRun(app.idOf("mine"));
  expect(app.state()).toMatchObject({
    builtIn: shipped.id,
    configuration: { cpu: "amd-zen2" },
  });
  expect(app.state().notices.at(-1)?.text).toBe(
    `The trace “a.csv” of this run is missing: it is not kept in this browser. Import “a.csv” again to see it. Its machine is shown on “${shipped.title}”.`,
  );
});

test("a_run_of_a_generated_trace_generates_it_again", async () => {
  const app = await withRuns();
  await app.actions.generateTrace({ workload: { id: "uniform", params: {} } });
  await app.actions.saveRun(words("uniform"));
  await app.actions.openBuiltIn(shipped);
  await app.actions.openRun(app.idOf("uniform"));
  expect(app.state()).toMatchObject({
    workload: { id: "uniform" },
    trace: { name: "uniform" },
  });
});

test("the_machine_before_a_run_of_another_trace_can_be_gone_back_to", async () => {
  const app = await withRuns("chase");
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  await app.actions.chooseCpu("amd-zen2");
  await app.actions.setRunWindow({ skip: 10, warmup: 0, limit: 20 });
  await app.actions.openRun(app.idOf("chase"));
  expect(app.state()).toMatchObject({
    builtIn: shipped.id,
    configuration: { cpu: "intel-skylake-sp" },
    future: [],
  });
  // A window belongs to the previous trace.
  expect(app.state().past.some(({ setup }) => setup.window)).toBe(false);
  await app.actions.undo();
  expect(app.state()).toMatchObject({
    builtIn: shipped.id,
    configuration: { cpu: "amd-zen2" },
  });
});

test("of_two_runs_that_are_opened_the_newest_is_shown", async () => {
  const app = await withRuns("chase");
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  await app.actions.chooseCpu("amd-zen2");
  await app.actions.saveRun(words("mine"));
  await app.actions.openBuiltIn(shipped);
  const release = holdKept(app.kept);
  const first = app.actions.openRun(app.idOf("mine"));
  await settle();
  const second = app.actions.openRun(app.idOf("chase"));
  await settle();
  release();
  await Promise.all([first, second]);
  expect(app.state()).toMatchObject({
    builtIn: shipped.id,
    configuration: { cpu: "intel-skylake-sp" },
  });
});

/** No trace is found until it is released. */
function holdKept(kept: FakeKept): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const get = kept.get.bind(kept);
  kept.get = async (hash) => {
    await held;
    return get(hash);
  };
  return () => release();
}

test("a_comparison_changes_nothing_where_the_trace_is_missing_or_the_machine_refused", async () => {
  const app = await withRuns("chase");
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
  await app.actions.saveRun(words("mine"));
  await app.actions.openBuiltIn(shipped);
  await app.actions.deleteKept("hash of a.csv");
  await app.actions.chooseCpu("amd-zen2");
  const { configuration } = app.state();
  await app.actions.compareRuns(app.idOf("mine"), app.idOf("chase"));
  expect(app.state().notices.at(-1)?.text).toMatch(
    /^The trace “a.csv” of this run is missing: .* They cannot be compared\.$/,
  );
  app.engine.failNext("configure", "bad-config");
  await app.actions.compareRuns(app.idOf("chase"), app.idOf("mine"));
  expect(app.state()).toMatchObject({ screen: "replay", configuration });
});

test("a_trace_that_cannot_be_read_is_why_a_run_is_not_saved", async () => {
  const app = await withRuns();
  app.engine.failNext("save", "unsupported");
  expect(await app.actions.saveRun(words("a"))).toBe("save failed.");
});

test("a_run_that_another_tab_deleted_is_not_put_back_by_a_new_name", async () => {
  const app = await withRuns("a");
  const id = app.idOf("a");
  await app.savedRuns.remove([id]);
  expect(await app.actions.renameRun(id, words("b"))).toBe(
    "This run is not saved any more.",
  );
  expect(app.names()).toEqual([]);
});

test("runs_of_an_older_version_get_what_machines_have_had_since_then", async () => {
  const app = await withRuns("a");
  const [run] = app.state().saved.runs ?? [];
  if (!run) throw new Error("There is one.");
  const machine: Partial<typeof run.setup.machine> = { ...run.setup.machine };
  delete machine.walkers;
  const old = { ...run, setup: { ...run.setup, machine } } as SavedRun;
  // Nothing of this run can be read.
  const broken = { id: "broken", date: 0 } as SavedRun;
  await app.savedRuns.put([old, broken]);
  await app.actions.loadRuns();
  expect(app.state().saved.runs).toEqual([run, broken]);
});

test("a_link_that_says_nothing_of_a_screen_shows_it_as_usual", async () => {
  const usual = await startApp();
  const link = encodePermalink(permalink(usual.state()));
  const app = await startApp();
  app.actions.chooseView("walk", "table");
  await app.actions.open(`#screen=what-if&${link}`);
  await app.actions.chooseWhatIf({ kinds: "all" });
  await app.actions.open(`#screen=samples&${link}`);
  await app.actions.chooseSamples({ who: "user" });
  // Links between the screens do not change the state of each screen.
  await app.actions.open("#screen=what-if");
  expect(app.state().whatIf.view).toEqual({ kinds: "all" });
  await app.actions.open("#screen=samples");
  expect(app.state().surveyChoice).toEqual({ who: "user" });
  await app.actions.open(`#${encodePermalink(replayPage(app.state()))}`);
  expect(app.state().choices.replay).toEqual({ walk: "table" });
  // A link of another user resets the state of its screen.
  await app.actions.open(`#screen=what-if&${link}`);
  expect(app.state().whatIf.view).toEqual(NO_WHAT_IF.view);
  await app.actions.open(`#screen=samples&${link}`);
  expect(app.state().surveyChoice).toEqual(ALL_SAMPLES);
  await app.actions.open(`#${link}`);
  expect(app.state().choices.replay).toEqual({});
});

test("two_runs_are_compared_the_first_at_the_left", async () => {
  const app = await withRuns("skylake");
  await app.actions.chooseCpu("amd-zen2");
  await app.actions.saveRun(words("zen"));
  await app.actions.compareRuns(app.idOf("skylake"), app.idOf("zen"));
  expect(app.state()).toMatchObject({
    screen: "compare",
    configuration: { cpu: "intel-skylake-sp" },
    compare: { part: "pair" },
  });
  expect(rightOf(app.state())?.cpu).toBe("amd-zen2");
});

test("a_link_restores_the_table_with_its_order_and_its_choice", async () => {
  const app = await withRuns("a");
  await app.actions.open("#screen=compare&compare=saved");
  app.actions.chooseView("saved.sort", "walks,descending");
  app.actions.chooseView("saved.baseline", app.idOf("a"));
  const link = encodePermalink(permalink(app.state()));
  expect(link).toContain("compare=saved");
  expect(link).toMatch(/view=saved.sort:walks,descending%3Bsaved.baseline:\w+/);
  const later = createApp(undefined, undefined, app.savedRuns);
  await later.actions.open(`#${link}`);
  expect(later.state().choices).toEqual(app.state().choices);
  expect(encodePermalink(permalink(later.state()))).toBe(link);
  // A choice of one screen is not part of another screen's link.
  await later.actions.open("#");
  expect(encodePermalink(permalink(later.state()))).not.toContain("view=");
});

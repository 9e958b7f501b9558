import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink";
import { changed, keyOf } from "../../src/model/whatIf";
import { rightOf } from "../../src/state/compareActions";
import { runToSave } from "../../src/state/runToSave";
import { permalink } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/traces";
import { createApp, settle, startApp } from "./app";

const [shipped] = BUILT_IN_TRACES;
const file = (bytes: number) => new Blob(["x".repeat(bytes)]);
const words = (name: string) => ({ name, note: "" });

/** With runs of these names of the trace that is open. */
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
    "“first” is saved: it stands under Compare, Saved runs.",
  );
  // The same browser, later.
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
  app.actions.changeWhatIf({ ...setup, machine });
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
  ["no-room", /the browser gives this page no more room/],
  ["not-allowed", /as in a private window/],
  ["newer", /a newer version of Pagewalk/],
  ["failed", /the browser says: It broke\./],
] as const)("%s_is_told", async (failure, why) => {
  const app = await withRuns("a");
  app.savedRuns.failure = failure;
  expect(await app.actions.saveRun(words("b"))).toMatch(why);
  expect(app.state().saved).toMatchObject({ runs: [] });
  expect(app.state().saved.problem).toMatch(/^No run is saved: /);
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
  expect(app.engine.log).not.toContain(`import ${shipped.title}`);
  await app.actions.undo();
  expect(app.state().configuration?.cpu).toBe("amd-zen2");
});

test("a_run_of_an_imported_trace_opens_it_where_it_is_kept", async () => {
  const app = await withRuns("chase");
  await app.actions.importFile({ file: file(90), name: "a.csv" });
  await settle();
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
  await app.actions.forget("hash of a.csv");
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
  // What one screen shows says nothing of another.
  await later.actions.open("#");
  expect(encodePermalink(permalink(later.state()))).not.toContain("view=");
});

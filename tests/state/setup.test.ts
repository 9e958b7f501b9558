import { expect, test } from "vitest";
import { withHostPages, withVirt } from "../../src/model/config/mapping";
import { DEFAULT_OS } from "../../src/engine/generated/defaults";
import type { CpuModel } from "../../src/engine/generated/CpuModel";
import type { OsConfig } from "../../src/engine/generated/OsConfig";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { isCustom, permalink } from "../../src/state/selectors";
import { startApp } from "./app";

test("another_cpu_is_run_and_shown_at_the_same_access", async () => {
  const { actions, state } = await startApp({ access: 42 });
  await actions.chooseCpu("amd-zen2");
  expect(state().machine?.name).toBe("Zen 2 4K");
  expect(state().snapshot?.step.index).toBe(42);
  expect(isCustom(state())).toBe(false);
});

test("until_it_has_run_the_picture_is_the_old_one_and_stale", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("run");
  const change = actions.choosePages("2M");
  await Promise.resolve().then(() => undefined);
  await new Promise((resolve) => setTimeout(resolve));
  expect(state()).toMatchObject({ stale: true, task: { kind: "run" } });
  expect(state().machine?.name).toBe("Skylake-SP 4K");
  release();
  await change;
  expect(state()).toMatchObject({ stale: false, task: undefined });
  expect(state().machine?.name).toBe("Skylake-SP 2M");
});

test("a_newer_change_overtakes_the_run_of_an_older_one", async () => {
  const { actions, engine, state } = await startApp();
  const release = engine.hold("run");
  const first = actions.choosePages("2M");
  await new Promise((resolve) => setTimeout(resolve));
  const second = actions.choosePages("1G");
  await new Promise((resolve) => setTimeout(resolve));
  release();
  await Promise.all([first, second]);
  expect(state().machine?.name).toBe("Skylake-SP 1G");
  expect(state().notices).toEqual([]);
});

test("a_refused_machine_changes_nothing_and_names_its_field", async () => {
  const { actions, engine, state } = await startApp();
  const before = state();
  engine.failNext("configure", "bad-config", "l1[0].ways");
  const machine = before.configuration?.setup.machine;
  if (!machine) throw new Error("no machine");
  const rejected = await actions.setMachine({ ...machine, seed: 3 });
  expect(rejected).toMatchObject([{ at: { field: "l1[0].ways" } }]);
  expect(state()).toEqual(before);
});

test("a_machine_that_the_check_rejects_is_not_configured", async () => {
  const { actions, engine, state } = await startApp();
  const machine = state().configuration?.setup.machine;
  if (!machine) throw new Error("no machine");
  engine.log.length = 0;
  const rejected = await actions.setMachine({ ...machine, l1: [] });
  expect(rejected).toMatchObject([{ at: { field: "l1" } }]);
  await actions.undo();
  expect(engine.log).toEqual(["checkMachine"]);
});

test("a_machine_is_configured_though_the_check_cannot_be_loaded", async () => {
  const { actions, engine, state } = await startApp();
  const machine = state().configuration?.setup.machine;
  if (!machine) throw new Error("no machine");
  engine.failNext("checkMachine", "unsupported");
  expect(await actions.setMachine({ ...machine, seed: 3 })).toEqual([]);
  expect(state().configuration?.setup.machine.seed).toBe(3);
});

test("undo_right_after_a_change_undoes_that_change", async () => {
  const { actions, engine, state } = await startApp();
  const before = state().configuration;
  const machine = before?.setup.machine;
  if (!machine) throw new Error("no machine");
  const release = engine.hold("checkMachine");
  const changed = actions.setMachine({ ...machine, seed: 3 });
  const undone = actions.undo();
  release();
  await Promise.all([changed, undone]);
  expect(state().configuration).toEqual(before);
  expect(state().future).toHaveLength(1);
});

/** Starts an app. Returns its setup, and the machine with another seed, which is a visible change. */
async function startSetup() {
  const app = await startApp();
  const { setup } = app.state().configuration ?? {};
  if (!setup) throw new Error("nothing is configured");
  const now = () => app.state().configuration?.setup;
  return { ...app, setup, now, seeded: { ...setup.machine, seed: 3 } };
}

test("changes_that_are_made_before_the_last_one_is_answered_are_all_kept", async () => {
  const { actions, engine, setup, now, seeded } = await startSetup();
  const release = engine.hold("configure");
  // Each choice was made while the initial setup was shown.
  const asked = [
    actions.setOs({ ...setup.os, default: "2M" }),
    actions.setOs({ ...setup.os, frames: "shuffled" }),
    actions.setMachine(seeded),
  ];
  release();
  await Promise.all(asked);
  expect(now()?.os).toMatchObject({ default: "2M", frames: "shuffled" });
  expect(now()?.machine.seed).toBe(3);
  await actions.undo();
  await actions.undo();
  expect(now()?.os).toEqual({ ...setup.os, default: "2M" });
});

test("a_mapping_of_a_script_gets_the_fields_that_it_leaves_out", async () => {
  const { actions, now } = await startSetup();
  const host = { default: "2M" } as OsConfig;
  await actions.setOs({ default: "4K", virt: "ept", host } as OsConfig);
  expect(now()?.os).toEqual({
    ...DEFAULT_OS,
    virt: "ept",
    host: { ...DEFAULT_OS, default: "2M" },
  });
});

test("a_change_after_a_refused_one_is_made_of_what_stays", async () => {
  const { actions, engine, setup, now, seeded } = await startSetup();
  engine.failNext("configure", "bad-config", "seed");
  const rejected = actions.setMachine(seeded);
  const next = actions.setOs({ ...setup.os, default: "2M" });
  expect(await rejected).toMatchObject([{ at: { field: "seed" } }]);
  expect(await next).toEqual([]);
  expect(now()?.machine).toEqual(setup.machine);
  expect(now()?.os.default).toBe("2M");
});

test("what_was_shown_can_be_chosen_back_before_the_other_is_answered", async () => {
  const { actions, engine, now } = await startSetup();
  const release = engine.hold("configure");
  const there = actions.choosePages("2M");
  const back = actions.choosePages("4K");
  release();
  await Promise.all([there, back]);
  expect(now()?.os.default).toBe("4K");
});

test("undo_takes_back_a_change_that_is_not_answered_yet_and_that_one_alone", async () => {
  const { actions, engine, state, now } = await startSetup();
  await actions.choosePages("2M");
  const release = engine.hold("configure");
  const third = actions.choosePages("1G");
  const undone = [actions.undo(), actions.undo()];
  release();
  await Promise.all([third, ...undone]);
  expect(now()?.os.default).toBe("4K");
  expect(state().future.map(({ setup }) => setup.os.default)).toEqual([
    "2M",
    "1G",
  ]);
});

test("changes_are_undone_and_redone_in_order", async () => {
  const { actions, state } = await startApp();
  await actions.choosePages("2M");
  await actions.chooseCpu("amd-zen2");
  await actions.undo();
  expect(state().machine?.name).toBe("Skylake-SP 2M");
  await actions.undo();
  expect(state().machine?.name).toBe("Skylake-SP 4K");
  await actions.undo();
  await actions.redo();
  await actions.redo();
  expect(state().machine?.name).toBe("Zen 2 2M");
  expect(state().future).toEqual([]);
});

test("an_edited_machine_is_custom_until_it_is_reset", async () => {
  const { actions, state } = await startApp();
  const machine = state().configuration?.setup.machine;
  if (!machine) throw new Error("no machine");
  await actions.setMachine({ ...machine, seed: 3 });
  expect(isCustom(state())).toBe(true);
  await actions.resetMachine();
  expect(isCustom(state())).toBe(false);
});

test("a_cpu_without_the_page_size_in_use_falls_back_to_4k_and_says_so", async () => {
  const { actions, engine, state } = await startApp();
  await actions.choosePages("1G");
  engine.failNext("configure", "bad-config", "os.default");
  await actions.chooseCpu("amd-zen2");
  expect(state().machine?.name).toBe("Zen 2 4K");
  expect(state().notices[0]?.text).toContain(
    "Memory was set to native pages of 4K.",
  );
});

test("pages_keep_the_host_and_a_refused_choice_is_told", async () => {
  const { actions, engine, state } = await startApp();
  const os = () => state().configuration?.setup.os;
  const native = os();
  if (!native) throw new Error("no configuration");
  await actions.chooseSetup({ os: withVirt(native, "ept") });
  await actions.choosePages("2M");
  expect(os()).toMatchObject({ virt: "ept", default: "2M" });
  engine.failNext("configure", "bad-config", "os.host");
  await actions.chooseSetup({ os: withHostPages(native, "3M") });
  expect(os()).toMatchObject({ virt: "ept", default: "2M" });
  expect(state().notices[0]?.at).toEqual({ field: "os.host" });
});

test("walk_caches_go_off_and_come_back_as_they_were", async () => {
  const { actions, state } = await startApp();
  const machine = () => state().configuration?.setup.machine;
  const first = machine();
  if (!first) throw new Error("no machine");
  const psc = { pde: { entries: 64 } };
  await actions.setMachine({ ...first, psc });
  const edited = machine();
  await actions.setWalkCaches(false);
  expect(machine()).toMatchObject({ name: first.name, psc: {} });
  expect(machine()).not.toHaveProperty("virt.nested_tlb");
  await actions.chooseSetup({
    os: withVirt(state().configuration?.setup.os ?? DEFAULT_OS, "ept"),
  });
  await actions.setWalkCaches(true);
  expect(machine()).toEqual(edited);
  await actions.undo();
  expect(machine()).toMatchObject({ psc: {} });
});

/** The app with CS:APP's small machine among its models. */
async function startWithSmallMachine() {
  const app = await startApp();
  const { cpus } = app.state();
  const [first] = cpus;
  if (!first) throw new Error("no model");
  const os: OsConfig = {
    ...DEFAULT_OS,
    default: "64",
    given: { pages: [{ page: "0x0", frame: "0x28" }], others: "fault" },
  };
  const small: CpuModel = {
    ...first,
    id: "csapp-14bit",
    name: "CS:APP",
    group: "Small machines",
    machine: { ...first.machine, name: "CS:APP" },
    os,
  };
  app.store.setState({ cpus: [small, ...cpus] });
  return { ...app, os };
}

test("a_small_machine_brings_its_tables_and_its_example", async () => {
  const { actions, state, os } = await startWithSmallMachine();
  await actions.chooseCpu("csapp-14bit");
  expect(state().configuration?.setup.os).toEqual(os);
  expect(state().builtIn).toBe("csapp");
  expect(permalink(state())).toMatchObject({
    cpu: "csapp-14bit",
    trace: "csapp",
  });
  // The link has the mapping of the model, so it does not repeat it.
  expect(permalink(state()).os).toBeUndefined();
  await actions.chooseCpu("amd-zen2");
  expect(state().configuration?.setup.os).toEqual(DEFAULT_OS);
  expect(state().notices).toEqual([]);
});

test("undo_restores_the_machine_before_a_small_one", async () => {
  const { actions, state } = await startWithSmallMachine();
  await actions.chooseCpu("csapp-14bit");
  await actions.undo();
  expect(state().configuration?.cpu).toBe("intel-skylake-sp");
  expect(state().configuration?.setup.os).toEqual(DEFAULT_OS);
});

test("a_trace_of_the_user_stays_on_a_small_machine", async () => {
  const { actions, state, os } = await startWithSmallMachine();
  await actions.importFile({ file: new Blob(["xxxx"]), name: "mine.csv" });
  await actions.chooseCpu("csapp-14bit");
  expect(state().configuration?.setup.os).toEqual(os);
  expect(state().trace?.name).toBe("mine.csv");
});

test.each([
  ["screen=what-if", { screen: "what-if" }],
  ["screen=compare", { screen: "compare", compare: { part: "pair" } }],
  [
    "screen=compare&compare=models",
    { screen: "compare", compare: { part: "models" } },
  ],
  ["screen=samples", { screen: "replay" }],
])(
  "an_example_that_is_chosen_at_%s_opens_where_it_belongs",
  async (link, at) => {
    const { actions, state } = await startWithSmallMachine();
    await actions.open(`#${link}`);
    const other = BUILT_IN_TRACES.find(({ id }) => id === "matmul24");
    if (other) await actions.openBuiltIn(other);
    expect(state().builtIn).toBe("matmul24");
    expect(state()).toMatchObject(at);
  },
);

test("another_example_leaves_the_small_machine", async () => {
  const { actions, state } = await startWithSmallMachine();
  await actions.chooseCpu("csapp-14bit");
  const [first] = BUILT_IN_TRACES;
  await actions.openBuiltIn(first);
  expect(state().configuration?.cpu).toBe("intel-skylake-sp");
});

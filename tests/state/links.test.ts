import { DEFAULT_OS } from "../../src/engine/generated/defaults";
import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
import { createApp, N, settle, startApp } from "./app";

test("a_link_restores_the_structure_and_the_accesses_that_are_shown_only", async () => {
  const app = await startApp();
  app.actions.pin(0);
  await app.actions.showOnly({
    by: "address",
    start: "0x1000",
    end: "0x3000",
    label: "heap",
  });
  const hash = encodePermalink(permalink(app.state()));
  expect(hash).toContain("only=address,0x1000,0x3000,heap&structure=0");

  const other = createApp();
  await other.actions.open(`#${hash}`);
  expect(other.state().pinned?.structure).toBe(0);
  expect(other.state().only?.filter.label).toBe("heap");
  expect(encodePermalink(permalink(other.state()))).toBe(hash);
});

test("a_structure_that_the_machine_lacks_is_not_shown", async () => {
  const app = await startApp({ structure: 99 });
  expect(app.state().pinned).toBeUndefined();
});

test("a_link_restores_whose_core_is_shown", async () => {
  const app = await startApp({ cores: "tid", access: 5 });
  await app.actions.showCore(41);
  const hash = encodePermalink(permalink(app.state()));
  expect(hash).toContain("cores=tid&access=5&core=41");

  const other = createApp();
  other.engine.firstOf.set(7, 0).set(41, 3);
  await other.actions.open(`#${hash}`);
  expect(other.state().snapshot?.core).toBe(41);
  expect(other.state().notices).toEqual([]);
  expect(encodePermalink(permalink(other.state()))).toBe(hash);
});

test("a_core_that_is_used_later_than_the_access_of_the_link_is_shown", async () => {
  const app = createApp();
  app.engine.firstOf.set(7, 0).set(41, 50);
  await app.actions.start({ cores: "tid", access: 5, core: 41 });
  expect(app.state().snapshot).toMatchObject({ core: 41, step: { index: 5 } });
  expect(app.state().notices).toEqual([]);
});

test.each([
  [{ cores: "tid" }, "thread 9, which makes no access in this trace."],
  [
    { cores: "tid", count: { skip: 0, warmup: 0, limit: 100 } },
    "thread 9, which makes no access in the simulated part.",
  ],
  [{}, "but this machine has only one core"],
] as const)(
  "a_link_to_a_core_that_there_is_none_of_%j_says_so_and_follows_the_access",
  async (link, words) => {
    const app = createApp();
    app.engine.firstOf.set(7, 0).set(41, 3);
    if ("count" in link) app.engine.firstOf.set(9, 150);
    await app.actions.start({ ...link, access: 5, core: 9 });
    const { snapshot, notices } = app.state();
    expect(snapshot).toMatchObject({ step: { index: 5 } });
    expect(snapshot?.core).toBeUndefined();
    expect(notices.map(({ text }) => text)).toEqual([
      expect.stringContaining(words),
    ]);
    expect(permalink(app.state()).core).toBeUndefined();
  },
);

test("a_trace_without_accesses_is_not_looked_through_for_a_core", async () => {
  const app = createApp();
  const workload = { id: "uniform", params: { accesses: "0" } };
  await app.actions.start({ workload, cores: "tid", core: 9 });
  expect(app.engine.log).not.toContain("seek -1");
  expect(app.state().notices.map(({ text }) => text)).toEqual([
    expect.stringContaining("thread 9, which makes no access in this trace."),
  ]);
});

/**
 * Opens a link to a core that is first used at access 5 or later. The search at the end of the trace waits until it
 * is released.
 */
async function lookingFor(core: number) {
  const app = createApp();
  app.engine.firstOf.set(7, 0).set(41, 50);
  const draw = app.engine.hold("timeline");
  const started = app.actions.start({ cores: "tid", access: 5, core });
  await settle();
  const release = app.engine.hold("seek");
  draw();
  await settle();
  expect(app.engine.log.at(-1)).toBe(`seek ${N - 1}`);
  return { ...app, started, release };
}

test.each([
  [41, 41],
  [9, undefined],
])(
  "who_moves_while_core_%s_is_looked_for_stays_there_and_sees_%s",
  async (core, shown) => {
    const { actions, started, release, state } = await lookingFor(core);
    const moved = actions.goTo(20);
    release();
    await Promise.all([moved, started]);
    await settle();
    expect(state()).toMatchObject({
      cursor: 20,
      snapshot: { step: { index: 20 } },
    });
    expect(state().snapshot?.core).toBe(shown);
    expect(state().notices).toHaveLength(shown === undefined ? 1 : 0);
  },
);

test.each([41, 9])(
  "of_another_trace_that_is_opened_while_core_%s_is_looked_for_nothing_is_said",
  async (core) => {
    const { actions, started, release, state } = await lookingFor(core);
    const workload = { id: "uniform", params: { accesses: "60" } };
    const opened = actions.generateTrace({ workload });
    await settle();
    release();
    await Promise.all([opened, started]);
    expect(state().trace?.n_accesses).toBe(60);
    expect(state().core).toBeUndefined();
    expect(state().notices).toEqual([]);
  },
);

test("a_link_with_an_unknown_cpu_keeps_its_memory_and_its_cores", async () => {
  const { state } = await startApp({
    cpu: "intel-386",
    machine: { levels: 2 },
    os: { ...DEFAULT_OS, virt: "ept", host: { ...DEFAULT_OS, default: "2M" } },
    cores: "tid",
  });
  const { configuration, notices } = state();
  expect(configuration?.setup).toMatchObject({
    os: { virt: "ept", host: { default: "2M" } },
    cores: "tid",
  });
  expect(configuration?.setup.machine).toEqual(state().cpus[0]?.machine);
  expect(notices.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^There is no CPU model “intel-386”; .* is shown without the link’s changes\. Everything else is the link’s\.$/,
    ),
  ]);
});

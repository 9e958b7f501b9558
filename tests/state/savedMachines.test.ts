import { expect, test } from "vitest";
import { withVirt } from "../../src/model/config/mapping";
import { writeMachine } from "../../src/model/config/savedMachine";
import type { Actions } from "../../src/state/actions";
import type { Configuration } from "../../src/state/config/configurations";
import { isCustom, isEdited } from "../../src/state/selectors";
import { startApp } from "./app";

async function withSaved(name = "mine") {
  const app = await startApp();
  const { actions, state } = app;
  const { machine } = (state().configuration as Configuration).setup;
  await actions.setMachine({ ...machine, seed: 7 });
  await actions.choosePages("2M");
  expect(await actions.saveMachine(name)).toBeUndefined();
  const [saved] = state().machines.list ?? [];
  if (!saved) throw new Error("Nothing is saved.");
  return { ...app, saved };
}

test("a_saved_machine_comes_back_with_its_mapping_and_can_be_undone", async () => {
  const { actions, state, saved } = await withSaved();
  expect(saved).toMatchObject({ name: "mine", machine: { name: "mine" } });
  await actions.chooseCpu("amd-zen2");
  await actions.choosePages("4K");
  const before = state().configuration;
  await actions.chooseMachine(saved.id);
  expect(state().configuration).toMatchObject({
    cpu: "intel-skylake-sp",
    setup: { machine: { seed: 7, name: "mine" }, os: { default: "2M" } },
  });
  expect([isCustom(state()), isEdited(state())]).toEqual([true, false]);
  await actions.undo();
  expect(state().configuration).toEqual(before);
});

test("a_machine_is_renamed_deleted_and_put_back", async () => {
  const { actions, state, saved } = await withSaved();
  const names = () => state().machines.list?.map(({ name }) => name);
  expect(await actions.renameMachine(saved.id, "ours")).toBeUndefined();
  expect(names()).toEqual(["ours"]);
  await actions.deleteMachine(saved.id);
  expect(names()).toEqual([]);
  await actions.putBackMachine();
  expect(names()).toEqual(["ours"]);
  expect(state().machines.deleted).toBeUndefined();
  expect(await actions.renameMachine("gone", "x")).toMatch(
    /not saved any more/,
  );
});

test("a_file_holds_a_machine_and_is_checked_before_it_is_kept", async () => {
  const { actions, state, saved } = await withSaved();
  const file = (text: string) => actions.importMachine(new Blob([text]));
  const names = () => state().machines.list?.map(({ name }) => name);
  expect(await file(writeMachine({ ...saved, name: "theirs" }))).toBe(
    undefined,
  );
  expect(names()?.sort()).toEqual(["mine", "theirs"]);
  for (const [text, why] of [
    ["{", /^It is no JSON/],
    ["[]", /no object/],
    ["{}", /It is no saved machine/],
    [
      writeMachine({ ...saved, machine: { ...saved.machine, l1: [] } }),
      /^No array.*`l1`/,
    ],
  ] as const)
    expect(await file(text), text).toMatch(why);
  expect(names()).toHaveLength(2);
});

test("storage_that_is_full_or_blocked_is_told", async () => {
  const { actions, machines, state } = await withSaved();
  machines.failure = "no-room";
  expect(await actions.saveMachine("another")).toMatch(/space|room/);
  machines.failure = "not-allowed";
  await actions.loadMachines();
  expect(state().machines).toMatchObject({
    list: [],
    problem: expect.stringMatching(/^No machines can be saved: /) as string,
  });
});

const os = (state: Configuration) => state.setup.os;

/** Every kind of change that the pickers and the editor make. */
const CHANGES: readonly [
  what: string,
  change: (actions: Actions, now: Configuration) => Promise<unknown>,
][] = [
  ["the_CPU", (actions) => actions.chooseCpu("amd-zen2")],
  ["the_page_size", (actions) => actions.choosePages("2M")],
  [
    "the_machine",
    (actions, { setup: { machine } }) =>
      actions.setMachine({ ...machine, seed: 7 }),
  ],
  [
    "the_memory_mapping",
    (actions, now) =>
      actions.setOs({
        ...os(now),
        regions: [{ start: "0x0", end: "0x200000", pages: "2M" }],
      }),
  ],
  [
    "the_memory_caches",
    (actions, { setup: { machine } }) =>
      actions.chooseSetup({
        machine: { ...machine, memory: { ...machine.memory, dram: 90 } },
      }),
  ],
  [
    "virtualisation",
    (actions, now) => actions.chooseSetup({ os: withVirt(os(now), "ept") }),
  ],
  ["the_cores", (actions) => actions.chooseSetup({ cores: "cpu" })],
  [
    "the_counted_part",
    (actions) => actions.setRunWindow({ skip: 3, warmup: 0 }),
  ],
];

test.each(CHANGES)("a_change_of_%s_is_undone_and_redone", async (_, change) => {
  const { actions, state } = await startApp();
  const before = state().configuration as Configuration;
  await change(actions, before);
  const after = state().configuration;
  expect(after).not.toEqual(before);
  await actions.undo();
  expect(state().configuration).toEqual(before);
  await actions.redo();
  expect(state().configuration).toEqual(after);
});

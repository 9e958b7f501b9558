import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink";
import { permalink } from "../../src/state/selectors";
import { createApp, startApp } from "./app";

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
  [{ cores: "tid" }, "thread 9, which makes no access of this trace"],
  [{}, "but the machine has one core here"],
] as const)(
  "a_link_to_a_core_that_there_is_none_of_%j_says_so_and_follows_the_access",
  async (link, words) => {
    const app = createApp();
    app.engine.firstOf.set(7, 0).set(41, 3);
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

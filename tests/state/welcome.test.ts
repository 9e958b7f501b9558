import { expect, test, vi } from "vitest";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { createApp, N } from "./app";
import { fakeKept } from "./fakeKept";
import { fakeKeptStat } from "./fakeKeptStat";
import { fakeSavedRuns } from "./fakeSavedRuns";

/** An app on its first visit. */
function newcomer() {
  return createApp(fakeKept(), fakeKeptStat(), fakeSavedRuns(), undefined, {
    welcome: true,
    plain: true,
  });
}

test("the_first_screen_opens_at_the_first_access_and_has_the_address_of_the_site", async () => {
  const { actions, state, settings } = newcomer();
  await actions.open("");
  expect(state()).toMatchObject({ welcome: true, cursor: 0, stale: false });
  expect(state().trace?.n_accesses).toBe(N);
  expect(encodePermalink(permalink(state()))).toBe("");
  expect(settings).toEqual([]);
});

test("skip_is_remembered_once_and_the_address_names_the_replay", async () => {
  const { actions, state, settings } = newcomer();
  await actions.open("");
  await actions.leaveWelcome();
  await actions.leaveWelcome();
  expect(state()).toMatchObject({ welcome: false, plain: true });
  expect(settings).toEqual(["welcome", "plain"]);
  expect(permalink(state())).toMatchObject({ trace: "chase" });
});

test("the_replay_goes_on_with_the_access_of_the_first_screen", async () => {
  const { actions, state, settings } = newcomer();
  await actions.open("");
  await actions.goTo(1);
  actions.continueWelcome();
  expect(state()).toMatchObject({
    welcome: false,
    builtIn: "first",
    cursor: 1,
  });
  expect(settings).toEqual(["welcome", "plain"]);
});

const [, second] = BUILT_IN_TRACES;

test("the_trace_of_the_first_screen_does_not_stay_behind_another_screen", async () => {
  const { actions, state } = newcomer();
  await actions.open("");
  expect(state().builtIn).toBe("first");
  expect(state().configuration?.setup.os.given?.pages).toHaveLength(2);
  await actions.open("#screen=glossary");
  expect(state().builtIn).toBe("chase");
  expect(state().configuration?.setup.os.given).toBeUndefined();
});

test("an_example_brings_its_mapped_pages_and_another_drops_them", async () => {
  const { actions, state } = createApp();
  const given = () => state().configuration?.setup.os.given;
  await actions.open("#trace=first");
  expect(given()?.tables).toHaveLength(4);
  const link = encodePermalink(permalink(state()));
  if (second) await actions.openBuiltIn(second);
  expect(given()?.tables).toHaveLength(4);
  const [chase] = BUILT_IN_TRACES;
  await actions.openBuiltIn(chase);
  expect(given()).toBeUndefined();
  await actions.open(`#${link}`);
  expect(given()?.tables).toHaveLength(4);
});

test.each<[string, (app: ReturnType<typeof newcomer>) => unknown]>([
  ["a_screen", ({ actions }) => actions.open("#screen=code")],
  ["the_glossary", ({ actions }) => actions.open("#screen=glossary")],
  ["the_open_replay", ({ actions }) => actions.open("#trace=chase&access=0")],
  ["an_example", ({ actions }) => second && actions.openBuiltIn(second)],
  [
    "a_file",
    ({ actions }) =>
      actions.importFile({ file: new Blob(["xxx"]), name: "a.csv" }),
  ],
])("%s_ends_it_for_good", async (_, go) => {
  const app = newcomer();
  await app.actions.open("");
  await go(app);
  await vi.waitFor(() => expect(app.state().welcome).toBe(false));
  expect(app.settings).toEqual(["welcome", "plain"]);
});

test("it_is_shown_again_on_its_own_example_whatever_was_open", async () => {
  const { actions, state } = createApp();
  await actions.open("#trace=matmul24&cpu=amd-zen2&access=7&screen=glossary");
  await actions.showWelcome();
  expect(state()).toMatchObject({
    welcome: true,
    screen: "replay",
    builtIn: "first",
    cursor: 0,
  });
  expect(state().configuration?.cpu).toBe("intel-skylake-sp");
  // Skip returns to what was open.
  await actions.leaveWelcome();
  expect(state()).toMatchObject({
    welcome: false,
    builtIn: "matmul24",
    cursor: 7,
  });
  expect(state().configuration?.cpu).toBe("amd-zen2");
  await actions.showWelcome();
  // Back in the browser leads to the replay of before.
  await actions.open("#trace=matmul24&access=7");
  expect(state()).toMatchObject({ welcome: false, builtIn: "matmul24" });
});

test("plain_is_in_the_link_and_remembered_when_the_reader_chooses_it", async () => {
  const { actions, state, settings } = createApp();
  await actions.open("");
  expect(permalink(state()).plain).toBeUndefined();
  actions.showPlain(true);
  expect(settings).toEqual(["plain"]);
  expect(encodePermalink(permalink(state()))).toMatch(/view=plain$/);
  actions.showPlain(false);
  expect(settings).toEqual(["plain", "expert"]);
});

test("a_link_may_be_plain_and_one_without_the_word_opens_as_the_reader_has_it", async () => {
  const { actions, state, settings } = createApp();
  await actions.open("#trace=chase&access=4");
  expect(state().plain).toBe(false);
  await actions.open("#trace=chase&access=4&view=plain;side:tlb");
  expect(state()).toMatchObject({
    plain: true,
    choices: { replay: { side: "tlb" } },
  });
  // The link of somebody else is no choice of this reader.
  expect(settings).toEqual([]);
  await actions.open("#trace=chase&access=5");
  expect(state().plain).toBe(true);
});

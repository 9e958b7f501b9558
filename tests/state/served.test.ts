import { expect, test } from "vitest";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { permalink } from "../../src/state/selectors";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { createApp } from "./app";
import type { FakeServed } from "./fakeServed";

const [first] = BUILT_IN_TRACES;

async function opened(hash = "", part: Partial<FakeServed> = {}) {
  const app = createApp();
  Object.assign(app.served, part);
  await app.actions.openServed(hash);
  return app;
}

test("the_served_trace_opens_in_the_replay_with_its_name_and_summary", async () => {
  const { state, engine } = await opened();
  expect(state()).toMatchObject({
    trace: { name: "mine.lackey", n_accesses: 40 },
    builtIn: undefined,
    screen: "replay",
    showsImport: true,
    importing: undefined,
    notices: [],
  });
  // No example is opened before it.
  expect(engine.log.filter((line) => /^(open|import)/.test(line))).toEqual([
    "import mine.lackey",
  ]);
});

test("a_page_that_is_loaded_again_shows_the_same_access_machine_and_screen", async () => {
  const { actions, state } = await opened();
  await expect.poll(() => state().hash).toBeDefined();
  const other = state().cpus.at(-1)?.id ?? "";
  await actions.chooseCpu(other);
  await actions.goTo(7);
  const hash = `#${encodePermalink(permalink(state()))}`;
  expect(hash).toContain("file=mine.lackey");
  const again = await opened(hash);
  expect(again.state()).toMatchObject({
    cursor: 7,
    configuration: { cpu: other },
    trace: { name: "mine.lackey" },
    notices: [],
  });
  const screen = await opened(`${hash}&screen=what-if`);
  expect(screen.state()).toMatchObject({
    screen: "what-if",
    showsImport: false,
  });
});

test("a_page_that_went_to_an_example_stays_there", async () => {
  const { state } = await opened(`#trace=${first.id}`);
  expect(state()).toMatchObject({ builtIn: first.id, notices: [] });
});

test("a_file_that_cannot_be_read_is_said_and_no_example_is_open", async () => {
  const answer = new Error("/tmp/x: there is no such file");
  const { state } = await opened("", { answer });
  expect(state()).toMatchObject({
    trace: undefined,
    builtIn: undefined,
    importing: undefined,
  });
  expect(state().notices.map(({ text }) => text)).toEqual([
    "The trace of `pagewalk open` cannot be read: /tmp/x: there is no such file.",
  ]);
});

test("a_file_that_is_no_trace_is_said_and_no_example_is_open", async () => {
  const app = createApp();
  app.engine.failNext("import", "bad-trace");
  await app.actions.openServed("");
  expect(app.state()).toMatchObject({ trace: undefined, builtIn: undefined });
  expect(app.state().notices).toMatchObject([{ code: "bad-trace" }]);
});

test("without_a_token_the_site_opens_as_usual_and_keeps_nothing", async () => {
  const app = createApp();
  app.served.secret = undefined;
  await app.actions.openServed("");
  expect(app.state()).toMatchObject({ builtIn: first.id, notices: [] });
});

test("the_trace_is_kept_as_long_as_the_page_and_not_in_the_browser", async () => {
  const app = await opened();
  await expect.poll(() => app.state().kept).toHaveLength(1);
  expect(await app.served.kept.list()).toHaveLength(1);
  expect(await app.kept.list()).toEqual([]);
});

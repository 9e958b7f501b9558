import { expect, test } from "vitest";
import { LINK_MOST } from "../../src/model/loop/loop";
import { encodePermalink } from "../../src/model/permalink/permalink";
import { linkLacks, permalink } from "../../src/state/selectors";
import { createApp, settle } from "./app";

const CODE = "load(8)";

test("a_link_shows_its_code_and_runs_nothing", async () => {
  const app = createApp();
  await app.actions.open(`#screen=loop&loop=mine&code=load(8)!`);
  await settle();
  expect(app.state().loop).toMatchObject({ name: "mine", code: CODE });
  expect(app.loops.ran).toEqual([]);
  // Code from a link does not replace the code that the user wrote in this browser.
  expect(app.loops.stored).toBeUndefined();
  expect(encodePermalink(permalink(app.state()))).toContain(
    "screen=loop&loop=mine&code=load(8)!",
  );
});

test("a_damaged_link_leaves_the_code_that_was_there", async () => {
  const app = createApp();
  app.loops.stored = { name: "old", code: "store(0)" };
  await app.actions.open("#screen=loop&code=cut");
  await settle();
  expect(app.state().loop).toMatchObject({ name: "old", code: "store(0)" });
  expect(app.state().notices.map(({ text }) => text)).toEqual([
    "The code of the link cannot be read: was the link cut short?",
  ]);
});

test("what_is_written_is_kept_and_found_again", async () => {
  const app = createApp();
  await app.actions.open("#screen=loop");
  app.actions.editLoop({ code: CODE });
  app.actions.editLoop({ name: "eight" });
  expect(app.loops.stored).toEqual({ name: "eight", code: CODE });
});

test("a_run_becomes_the_trace_and_the_screen_stays", async () => {
  const app = createApp();
  await app.actions.open("#screen=loop");
  app.actions.editLoop({ code: CODE, name: " " });
  const result = { accesses: 3, milliseconds: 1, arrays: [], log: [] };
  app.loops.outcome = { file: new Blob(["xxx"]), result };
  await app.actions.runLoop();
  await settle();
  const { screen, trace, loop, showsImport } = app.state();
  expect({ screen, name: trace?.name, n: trace?.n_accesses }).toEqual({
    screen: "loop",
    name: "my loop",
    n: 3,
  });
  expect(loop?.run).toEqual({ status: "done", code: CODE, result });
  expect(showsImport).toBe(false);
});

test("what_a_run_ends_with_is_told_beside_the_code", async () => {
  const app = createApp();
  await app.actions.open("#screen=loop");
  const before = app.state().trace;
  app.loops.outcome = { message: "It threw.", line: 3 };
  await app.actions.runLoop();
  expect(app.state().loop?.run).toEqual({
    status: "failed",
    problem: { message: "It threw.", line: 3 },
  });
  app.loops.outcome = undefined;
  await app.actions.runLoop();
  expect(app.state().loop?.run).toBeUndefined();
  expect(app.state().trace).toBe(before);
});

test("code_that_is_too_long_for_a_link_is_told_when_it_is_shared", async () => {
  const app = createApp();
  await app.actions.open("#screen=loop");
  app.actions.editLoop({ code: "x".repeat(LINK_MOST) });
  await settle();
  expect(app.state().loop).toMatchObject({
    packed: undefined,
    isTooLong: true,
  });
  expect(linkLacks(app.state())).toMatch(
    /^The code is too long for a link: save it as a file/,
  );
  app.actions.editLoop({ code: "x".repeat(LINK_MOST - 1) });
  await settle();
  expect(app.state().loop).toMatchObject({ isTooLong: false });
});

import { expect, test } from "vitest";
import { N, settle, startApp } from "./app";

const seeks = (log: readonly string[]) =>
  log.filter((line) => line.startsWith("seek")).map((line) => line.slice(5));

test("a_step_moves_by_one_and_stops_at_the_ends", async () => {
  const { actions, state } = await startApp({ access: 1 });
  await actions.step(-1);
  await actions.step(-1);
  expect(state().snapshot?.step.index).toBe(0);
  await actions.goTo(N + 50);
  expect(state().snapshot?.step.index).toBe(N - 1);
});

test("while_one_seek_is_under_way_only_the_newest_wish_is_kept", async () => {
  const { actions, engine, state } = await startApp({ access: 0 });
  const before = engine.log.length;
  const release = engine.hold("seek");
  const moves = [10, 20, 30, 40].map((index) => actions.goTo(index));
  expect(state().cursor).toBe(40);
  release();
  await Promise.all(moves);
  expect(seeks(engine.log.slice(before))).toEqual(["10", "40"]);
  expect(state().snapshot?.step.index).toBe(40);
});

test("a_jump_shows_the_next_walk", async () => {
  const { actions, state } = await startApp({ access: 10 });
  await actions.jump({ what: "walk" }, 1);
  expect(state().cursor).toBe(12);
  await actions.jump({ what: "walk" }, -1);
  expect(state().cursor).toBe(9);
});

test("a_jump_that_finds_nothing_says_so_and_stays", async () => {
  const { actions, state } = await startApp({ access: N - 1 });
  await actions.jump({ what: "fault" }, 1);
  expect(state().cursor).toBe(N - 1);
  expect(state().notices[0]?.text).toBe(
    "There is no page fault or exception after access 299.",
  );
  expect(state().task).toBeUndefined();
});

test("playing_starts_slowly_enough_to_read_each_access", async () => {
  const { actions, state, tick } = await startApp({ access: 0 });
  actions.play();
  await tick(490);
  expect(state().cursor).toBe(0);
  await tick(20);
  expect(state().cursor).toBe(1);
  await tick(1000);
  expect(state().cursor).toBe(3);
});

test("playing_shows_what_time_has_reached_and_stops_at_the_end", async () => {
  const { actions, state, tick } = await startApp({ access: 0 });
  actions.setSpeed(100);
  actions.play();
  await tick(50);
  expect(state().cursor).toBe(5);
  await tick(1000);
  expect(state().cursor).toBe(105);
  await tick(10_000);
  await tick(16);
  expect(state()).toMatchObject({ cursor: N - 1, playing: false });
});

test("an_access_is_shown_once_its_time_has_come_and_not_before", async () => {
  const { actions, state, tick } = await startApp({ access: 0 });
  actions.setSpeed(100);
  actions.play();
  await tick(9);
  expect(state().cursor).toBe(0);
  await tick(1);
  expect(state().cursor).toBe(1);
  await tick(19);
  expect(state().cursor).toBe(2);
});

test("playing_never_has_two_seeks_under_way", async () => {
  const { actions, engine, tick } = await startApp({ access: 0 });
  actions.setSpeed(1000);
  actions.play();
  const before = engine.log.length;
  const release = engine.hold("seek");
  for (let frame = 0; frame < 5; frame++) await tick(16);
  expect(seeks(engine.log.slice(before))).toHaveLength(1);
  release();
  await settle();
  await tick(16);
  expect(seeks(engine.log.slice(before))).toHaveLength(2);
});

test("moving_while_playing_goes_on_from_there", async () => {
  const { actions, state, tick } = await startApp({ access: 0 });
  actions.setSpeed(100);
  actions.play();
  await tick(50);
  await actions.goTo(200);
  await tick(16);
  await tick(100);
  expect(state().cursor).toBe(210);
});

test("playing_at_the_end_starts_over", async () => {
  const { actions, state, tick } = await startApp({ access: N - 1 });
  actions.setSpeed(10);
  actions.play();
  await tick(50);
  await tick(50);
  expect(state()).toMatchObject({ cursor: 1, playing: true });
});

test("the_speed_stays_between_1_and_a_million", async () => {
  const { actions, state } = await startApp();
  actions.setSpeed(0.01);
  expect(state().speed).toBe(1);
  actions.setSpeed(1e9);
  expect(state().speed).toBe(1_000_000);
});

test("what_a_search_did_not_find_is_gone_with_the_next_move", async () => {
  const { actions, state } = await startApp({ access: N - 1 });
  await actions.jump({ what: "fault" }, 1);
  await actions.step(-1);
  expect(state().notices).toEqual([]);
});

test("the_core_that_is_looked_at_stays_until_the_trace_or_the_machine_is_another", async () => {
  const { actions, engine, state } = await startApp({ access: 1 });
  const since = (before: number) => seeks(engine.log.slice(before));
  let before = engine.log.length;
  await actions.showCore(41);
  await actions.step(1);
  expect(since(before)).toEqual(["1 core 41", "2 core 41"]);
  expect(state().snapshot?.core).toBe(41);
  before = engine.log.length;
  await actions.showCore(undefined);
  expect(since(before)).toEqual(["2"]);
  expect(state().snapshot?.core).toBeUndefined();

  await actions.showCore(41);
  await actions.chooseSetup({ cores: "tid" });
  await settle();
  before = engine.log.length;
  await actions.step(1);
  expect(since(before)).toEqual(["3"]);
});

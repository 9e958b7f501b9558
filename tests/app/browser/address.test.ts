// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { addressOf, followAddress } from "../../../src/app/browser/address";
import { startApp } from "../../state/app";

const listening = vi.spyOn(globalThis, "addEventListener");

afterEach(() => {
  vi.useRealTimers();
  // Each test follows the address by itself.
  for (const added of listening.mock.calls) removeEventListener(...added);
  listening.mockClear();
});

test("the_address_follows_the_replay_a_moment_later_and_at_once_where_a_link_leaves_it", async () => {
  const { actions, store } = await startApp({ access: 7 });
  vi.useFakeTimers();
  followAddress(store, actions);
  await actions.goTo(8);
  expect(location.hash).not.toContain("access=");
  vi.advanceTimersByTime(500);
  expect(location.hash).toContain("access=8");
  await actions.goTo(9);
  document.body.innerHTML =
    '<a href="#screen=code"><span>Code</span></a><p></p>';
  document.querySelector("p")?.click();
  expect(location.hash).toContain("access=8");
  const link = document.querySelector("a");
  link?.addEventListener("click", (event) => event.preventDefault());
  document.querySelector("span")?.click();
  expect(location.hash).toContain("access=9");
});

test("a_link_followed_while_the_replay_plays_leaves_the_access_that_was_shown", async () => {
  const { actions, store } = await startApp({ access: 7 });
  vi.useFakeTimers();
  followAddress(store, actions);
  await actions.goTo(8);
  vi.advanceTimersByTime(500);
  store.setState({ playing: true });
  await actions.goTo(11);
  vi.advanceTimersByTime(5000);
  // While playing, the access changes too often to write it into the address.
  expect(location.hash).toContain("access=8");
  document.body.innerHTML = '<a href="#screen=code">Code</a>';
  const link = document.querySelector("a");
  link?.addEventListener("click", (event) => event.preventDefault());
  link?.click();
  expect(location.hash).toContain("access=11");
});

test("an_address_that_was_typed_is_not_overwritten_before_it_is_opened", async () => {
  const { actions, store } = await startApp({ access: 7 });
  vi.useFakeTimers();
  followAddress(store, actions);
  await actions.goTo(8);
  vi.advanceTimersByTime(500);
  const written = location.hash;
  // The browser has not fired an event for this address yet.
  history.replaceState(null, "", "#access=99");
  await actions.goTo(9);
  vi.advanceTimersByTime(500);
  expect(location.hash).toBe("#access=99");
  history.replaceState(null, "", written);
});

test("a_link_opens_at_its_press_even_if_the_address_already_names_it", async () => {
  const { actions, store } = await startApp({ access: 7 });
  vi.useFakeTimers();
  followAddress(store, actions);
  await actions.goTo(8);
  vi.advanceTimersByTime(500);
  document.body.innerHTML = `<a href="${location.hash}">Replay</a>`;
  const link = document.querySelector("a");
  // The address of this screen is not written yet.
  store.setState({ screen: "glossary", stale: true });
  link?.click();
  expect(store.getState().screen).toBe("replay");
});

test("what_changes_right_after_a_link_was_pressed_does_not_change_what_it_opens", async () => {
  const { actions, engine, store } = await startApp({ access: 7 });
  followAddress(store, actions);
  await actions.goTo(8);
  const { origin, pathname } = location;
  const shown = addressOf(store.getState()).replace(origin + pathname, "");
  await actions.open("#screen=glossary");
  document.body.innerHTML = `<a href="${shown}">Replay</a>`;
  const opened = engine.log.length;
  document.querySelector("a")?.click();
  // The browser reports a new address later than this.
  await actions.goTo(9);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(store.getState().cursor).toBe(9);
  expect(engine.log.slice(opened)).toEqual(["seek 9"]);
});

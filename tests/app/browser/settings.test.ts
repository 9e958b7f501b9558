// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { openingOf, settings } from "../../../src/app/browser/settings";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const DENSE = { welcome: false, plain: false };

test("a_first_visit_opens_plainly_with_the_first_screen", () => {
  expect(openingOf(false, false)).toEqual({ welcome: true, plain: true });
});

test("a_link_and_a_frame_open_densely_on_a_first_visit", () => {
  expect(openingOf(true, false)).toEqual(DENSE);
  expect(openingOf(false, true)).toEqual(DENSE);
});

test("a_return_visit_has_no_first_screen_and_keeps_the_readers_detail", () => {
  settings.keepWelcome();
  expect(openingOf(false, false)).toEqual(DENSE);
  settings.keepPlain(true);
  expect(openingOf(false, false)).toEqual({ welcome: false, plain: true });
  expect(openingOf(true, false)).toEqual({
    welcome: false,
    plain: true,
  });
  settings.keepPlain(false);
  expect(openingOf(true, false)).toEqual(DENSE);
});

test("storage_that_throws_opens_densely_and_nothing_fails", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("forbidden");
    },
    setItem: () => {
      throw new Error("forbidden");
    },
    clear: () => undefined,
  });
  expect(openingOf(false, false)).toEqual(DENSE);
  expect(() => settings.keepWelcome()).not.toThrow();
  expect(() => settings.keepPlain(true)).not.toThrow();
});

import { expect, test } from "vitest";
import { isMissingPart } from "../../../src/model/shared/missingPart";

test.each<[browser: string, thrown: unknown, isMissing: boolean]>([
  [
    "Chromium",
    new TypeError("Failed to fetch dynamically imported module: http://a/b.js"),
    true,
  ],
  [
    "Firefox",
    new TypeError("error loading dynamically imported module: http://a/b.js"),
    true,
  ],
  ["Safari", new TypeError("Importing a module script failed."), true],
  ["style", new Error("Unable to preload CSS for /assets/a.css"), true],
  ["another", new TypeError("a is undefined"), false],
  ["text", "dynamically imported module", false],
])("an_error_of_%s_is_known", (_browser, thrown, isMissing) => {
  expect(isMissingPart(thrown)).toBe(isMissing);
});

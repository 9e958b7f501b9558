import { expect, test } from "vitest";
import { pageAbout } from "../../src/state/pageAbout";
import type { AppState } from "../../src/state/store";

const machine = { name: "Zen 2" };

const state = {
  cpus: [{ id: "amd-zen2", machine }],
  compare: { part: "pair", right: { cpu: "amd-zen2" } },
  trace: { name: "ls.lackey" },
  hash: "0f",
  configuration: {
    cpu: "amd-zen2",
    setup: { machine, os: { default: "4K" } },
  },
} as unknown as AppState;

const MACHINE = ["about.machine.id", "about.machine.name", "about.mapping"];
const TRACE = ["about.trace.name", "about.trace.digest"];

test.each([
  ["replay", [...MACHINE, ...TRACE]],
  ["what-if", [...MACHINE, ...TRACE]],
  [
    "compare",
    [
      ...MACHINE,
      "about.right.machine.id",
      "about.right.machine.name",
      "about.right.mapping",
      ...TRACE,
    ],
  ],
  ["samples", TRACE],
  ["experiments", []],
  ["measured", []],
] as const)("the_screen_%s_names_what_it_shows", (screen, expected) => {
  const about = pageAbout({ ...state, screen });
  expect(Object.keys(about)).toEqual(["about.version", ...expected]);
  expect(Object.values(about).every((fact) => fact !== "")).toBe(true);
});

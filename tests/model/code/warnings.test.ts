import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ProgramAbout } from "../../../src/model/code/about";
import { AT_LIMIT, runWarnings } from "../../../src/model/code/warnings";
import { view } from "../../state/fakeData";

const LIMIT = `${AT_LIMIT} of 50,000,000 accesses; the file has more`;

function warningsOf(trap: { readonly message: string } | undefined) {
  const trace = view("one", 3);
  const compiled = {
    accesses: 3,
    output: "",
    status: 0,
    diagnostics: [],
    about: {} as ProgramAbout,
    ...(trap && { trap }),
  };
  return runWarnings({
    trace: { ...trace, import: { ...trace.import, warnings: [LIMIT, "Odd"] } },
    result: { accesses: 3, arrays: [], log: [], compiled },
  });
}

test("a_program_that_was_stopped_at_its_limit_says_so_once", () => {
  expect(warningsOf({ message: "Stopped at 50,000,000 accesses." })).toEqual([
    "Odd",
  ]);
  expect(warningsOf(undefined)).toEqual([LIMIT, "Odd"]);
});

test("the_warning_begins_as_the_core_writes_it", () => {
  const core = readFileSync("sim-core/sources/src/import/report.rs", "utf8");
  expect(core).toContain(`AT_LIMIT: &str = "${AT_LIMIT}";`);
});

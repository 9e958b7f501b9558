import { expect, test } from "vitest";
import {
  choicesOf,
  isGuessed,
  toolName,
  warningText,
  withRemedy,
} from "../../../src/model/import/formats";

test("a_remedy_names_the_choices_of_the_form", () => {
  expect(
    withRemedy("the base is unclear", {
      set: "format",
      to: ["csv-hex", "csv-decimal"],
    }),
  ).toBe(
    "the base is unclear: choose “hexadecimal” or “decimal” under Numbers",
  );
  expect(
    withRemedy("It is not read.", {
      set: "format",
      to: ["champsim", "champsim-cloudsuite"],
      when: "it is a ChampSim trace",
    }),
  ).toBe(
    "It is not read. If it is a ChampSim trace, choose “ChampSim” or “ChampSim, records of 96 bytes” under Format",
  );
});

test("a_remedy_without_choices_names_the_field", () => {
  const remedy = { set: "format", to: [], when: "it is one" } as const;
  expect(withRemedy("Unknown.", remedy)).toBe(
    "Unknown. If it is one, choose it under Format",
  );
});

test("choices_of_two_fields_name_both", () => {
  const remedy = { set: "format", to: ["csv", "csv-hex"] } as const;
  expect(withRemedy("unclear", remedy)).toBe(
    "unclear: choose “list of addresses” under Format or “hexadecimal” under Numbers",
  );
});

test("warnings_with_and_without_a_remedy_become_sentences", () => {
  expect(warningText("1 line was skipped")).toBe("1 line was skipped");
  const remedy = { set: "format", to: ["perf-script-ip"] } as const;
  expect(warningText({ text: "one column", remedy })).toBe(
    "one column: choose “the instruction” under The only column of addresses is",
  );
});

test("formats_are_named_by_their_tools", () => {
  expect(toolName("perf.data")).toBe("perf record");
  expect(toolName("loop")).toBe("written loop");
  expect(toolName("workload")).toBe("generated");
  expect(toolName("unheard-of")).toBe("unheard-of");
});

test("formats_that_are_always_recognised_are_no_choice", () => {
  const ids = choicesOf("format").map(({ value }) => value);
  expect(ids).toContain("champsim-cloudsuite");
  expect(ids).not.toContain("loop");
  expect(ids.filter(isGuessed)).toEqual(["champsim"]);
});

import { expect, test } from "vitest";
import type { Remedy } from "../../../src/engine/generated/Remedy";
import {
  choicesOf,
  COMPRESSED_WORDS,
  isGuessed,
  isLoneColumn,
  limitsOf,
  mainChoice,
  TOOLS,
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
  const remedy: Remedy = { set: "format", to: [], when: "it is one" };
  expect(withRemedy("Unknown.", remedy)).toBe(
    "Unknown. If it is one, choose it under Format",
  );
});

test("choices_of_two_fields_name_both", () => {
  const remedy: Remedy = { set: "format", to: ["csv", "csv-hex"] };
  expect(withRemedy("unclear", remedy)).toBe(
    "unclear: choose “list of addresses” under Format or “hexadecimal” under Numbers",
  );
});

test("warnings_with_and_without_a_remedy_become_sentences", () => {
  expect(warningText("1 line was skipped")).toBe("1 line was skipped");
  const remedy: Remedy = { set: "format", to: ["perf-script-ip"] };
  expect(warningText({ text: "one column", remedy })).toBe(
    "one column: choose “the instruction” under The only address column is",
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

test("an_id_of_a_column_belongs_to_the_choice_perf_script", () => {
  expect(mainChoice("perf-script-phys")).toBe("perf-script");
  expect(mainChoice("champsim-cloudsuite")).toBe("champsim-cloudsuite");
  expect(mainChoice("")).toBe("");
  expect(isLoneColumn("perf-script-phys")).toBe(true);
  expect(isLoneColumn("perf-script")).toBe(false);
  expect(isLoneColumn(undefined)).toBe(false);
});

test("limits_belong_to_all_ids_of_a_format", () => {
  expect(limitsOf("csv")).toEqual(["completeness"]);
  expect(limitsOf("perf.data")).toEqual([]);
});

test("tools_and_endings_are_listed_in_words", () => {
  expect(TOOLS).toMatch(/^valgrind lackey, .*, Dinero or address list$/);
  expect(TOOLS.match(/ChampSim/g)).toHaveLength(1);
  expect(COMPRESSED_WORDS).toBe(".gz, .bz2, .xz, .zst or .zip");
});

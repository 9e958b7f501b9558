import { expect, test } from "vitest";
import {
  completenessMeaning,
  completenessWord,
  processText,
  threadText,
  webWords,
} from "../../../src/model/import/traceText";

test("options_of_the_command_line_become_choices_of_the_dialog", () => {
  expect(webWords("import with --format csv-hex")).toBe(
    "choose “hexadecimal” under Numbers",
  );
  expect(
    webWords("say which with --format csv-hex or --format csv-decimal"),
  ).toBe("choose “hexadecimal” or “decimal” under Numbers");
});

test.each([
  [
    "To force one, give its name with --format",
    "To force one, choose it under Format",
  ],
  [
    '"4": must be a list […] (at `machine.l2`)',
    '"4": must be a list […] (at `machine.l2`)',
  ],
])("the_words_of_the_core_%s_become_those_of_the_page", (core, page) => {
  expect(webWords(core)).toBe(page);
});

test("only_a_tool_can_say_that_a_trace_is_complete", () => {
  expect(completenessWord("complete", "lackey")).toBe("complete");
  expect(completenessWord("complete", "csv")).toBe("as given");
  expect(completenessWord("sampled", "csv")).toBe("sampled");
});

test("a_part_of_a_file_is_never_called_complete", () => {
  expect(completenessWord("complete", "lackey", true)).toBe("partial");
  expect(completenessWord("complete", "csv", true)).toBe("partial");
  expect(completenessWord("sampled", "perf.data", true)).toBe(
    "sampled, partial",
  );
  expect(completenessMeaning("first-touches", "perf.data", true)).toBe(
    "Only the first access to each page was recorded. Partial: a limit or a selection left out accesses, now or when the file was written.",
  );
});

test("a_guest_is_shown_by_the_process_that_runs_it_and_a_task_that_is_gone_as_perf_does", () => {
  const numbers = [7, 2 ** 31 + 7, 2 ** 32 - 1];
  expect(numbers.map(processText)).toEqual(["7", "7 (guest)", "-1"]);
  expect([7, 2 ** 32 - 1].map(threadText)).toEqual(["7", "-1"]);
});

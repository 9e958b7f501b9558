import { expect, test } from "vitest";
import {
  completenessMeaning,
  completenessWord,
  processText,
  threadText,
} from "../../../src/model/import/traceText";

test("only_a_tool_can_say_that_a_trace_is_complete", () => {
  expect(completenessWord("complete", "lackey")).toBe("complete");
  expect(completenessWord("complete", "csv")).toBe("completeness unknown");
  expect(completenessWord("sampled", "csv")).toBe("sampled");
});

test("a_part_of_a_file_is_never_called_complete", () => {
  expect(completenessWord("complete", "lackey", true)).toBe("partial");
  expect(completenessWord("complete", "csv", true)).toBe("partial");
  expect(completenessWord("sampled", "perf.data", true)).toBe(
    "sampled, partial",
  );
  expect(completenessMeaning("first-touches", "perf.data", true)).toBe(
    "Only page faults were recorded, mostly the first access to each page. Partial: the file was cut off, or a limit or a selection left out accesses.",
  );
});

test("a_list_whose_columns_were_guessed_is_never_called_complete_or_as_given", () => {
  expect(completenessWord("complete", "csv", false, true)).toBe(
    "columns guessed",
  );
  expect(completenessWord("complete", "csv", true, true)).toBe(
    "columns guessed, partial",
  );
  expect(completenessWord("sampled", "csv", false, true)).toBe(
    "columns guessed, sampled",
  );
  expect(completenessMeaning("complete", "csv", false, true)).toBe(
    "No header names the columns of the list, so what they are is a guess. Check the first accesses before you use the numbers.",
  );
});

test("a_guest_is_shown_by_the_process_that_runs_it_and_a_task_that_is_gone_as_perf_does", () => {
  const numbers = [7, 2 ** 31 + 7, 2 ** 32 - 1];
  expect(numbers.map(processText)).toEqual(["7", "7 (guest)", "-1"]);
  expect([7, 2 ** 32 - 1].map(threadText)).toEqual(["7", "-1"]);
});

import { expect, test } from "vitest";
import {
  completenessMeaning,
  completenessWord,
  processText,
  threadText,
} from "../../../src/model/import/traceText";

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

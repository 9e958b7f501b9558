import { expect, test } from "vitest";
import { completenessWord, webWords } from "../../src/model/traceText";

test("options_of_the_command_line_become_choices_of_the_dialog", () => {
  expect(webWords("import with --format csv-hex")).toBe(
    "choose “hexadecimal” under Numbers",
  );
  expect(
    webWords("say which with --format csv-hex or --format csv-decimal"),
  ).toBe("choose “hexadecimal” or “decimal” under Numbers");
});

test("only_a_tool_can_say_that_a_trace_is_complete", () => {
  expect(completenessWord("complete", "lackey")).toBe("complete");
  expect(completenessWord("complete", "csv")).toBe("as given");
  expect(completenessWord("sampled", "csv")).toBe("sampled");
});

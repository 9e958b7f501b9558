import { expect, test } from "vitest";
import { failed, stopped } from "../../../src/app/code/scriptProblems";
import { prepareScript } from "../../../src/model/code/script";

const syntax = (message: string) =>
  ({
    what: "failed",
    name: "SyntaxError",
    message,
    line: undefined,
    isSyntax: true,
  }) as const;

test.each([
  [
    "for (;;",
    "Unexpected token '}'",
    "the code ends too early. Is a bracket or a brace missing?",
  ],
  ["load(1));\nload(2)", "Unexpected token ')'", "Unexpected token ')'."],
  ["load(1); }\nload(2)", "Unexpected token '}'", "Unexpected token '}'."],
])("%j_with_%j_is_told_as_%j", (code, message, why) => {
  expect(failed(syntax(message), prepareScript(code))).toEqual({
    message: `This is not valid JavaScript: ${why}`,
    line: 1,
  });
});

test.each([
  ["let a = 0;\nfor (;;) a++;", 2],
  ["while (true) {\n load(1); }", 1],
  ["while (1) { if (f()) break; }", undefined],
  ["for (let i = 0; i < 9; i++) load(i);", undefined],
])("nothing_ends_the_loop_of_%j_on_line_%s", (code, line) => {
  const { message, line: found } = stopped(
    { accesses: 9, seconds: 10 },
    0,
    prepareScript(code),
  );
  expect(found).toBe(line);
  expect(message).toBe(
    `Stopped after 10 seconds, with few accesses or none: ${line === undefined ? "is there an endless loop?" : "this loop never ends."}`,
  );
});

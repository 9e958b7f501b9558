/** The real compiler, with texts that are right and wrong. */
import { commands } from "@yowasp/clang";
import { beforeAll, expect, test } from "vitest";
import { compile } from "../../../src/app/code/compile";
import type { Language } from "../../../src/model/code/program";
import { codeStart, lineOfTrap } from "../../../src/model/code/trap";
import { runProgram } from "./runProgram";

beforeAll(async () => {
  await commands.clang(undefined, {}, { fetchProgress: () => undefined });
});

const ask = (text: string, language: Language = "c", options: string[] = []) =>
  compile(commands, { text, language, level: "1", options });

test("a program of C prints its arguments", async () => {
  const made = await ask(
    '#include <stdio.h>\nint main(int n, char **v) { printf("%d %s %g\\n", n, v[1], N / 4.0); return 3; }',
    "c",
    ["-DN=5"],
  );
  if (!("wasm" in made)) throw new Error(made.message);
  const { end } = await runProgram(made.wasm, { args: ["program", "one"] });
  expect(end).toEqual({ done: { output: "2 one 1.25\n", status: 3 } });
});

test("a program of C++ makes an object", async () => {
  const made = await ask(
    '#include <cstdio>\nstruct Sum { int n = 0; template <class T> void add(T x) { n += x; } };\nint main() { auto *s = new Sum; s->add(40); std::printf("%d", s->n); delete s; }',
    "c++",
  );
  if (!("wasm" in made)) throw new Error(made.message);
  const { end } = await runProgram(made.wasm);
  expect(end).toEqual({ done: { output: "40", status: 0 } });
});

const WRONG: readonly [
  name: string,
  text: string,
  language: Language,
  problem: object,
][] = [
  [
    "a mistake has its line, its column and its caret",
    "int main() {\n  return y;\n}",
    "c",
    {
      stage: "compile",
      message: "use of undeclared identifier 'y'",
      line: 2,
      diagnostics: [
        {
          severity: "error",
          message: "use of undeclared identifier 'y'",
          line: 2,
          column: 10,
          caret: "    2 |   return y;\n      |          ^",
        },
      ],
    },
  ],
  [
    "a missing function has the line that names it",
    "int area(int);\nint main() { return area(1); }",
    "c",
    {
      stage: "link",
      message: "area is used, but its code is missing: define it.",
      line: 1,
    },
  ],
  [
    "a missing function of C++ has its types",
    "int area(int);\nint main() { return area(1); }",
    "c++",
    {
      stage: "link",
      message: "area(int) is used, but its code is missing: define it.",
      line: 1,
    },
  ],
  [
    "threads are refused",
    "#include <pthread.h>\nint main() {\n  pthread_t t;\n  return pthread_create(&t, 0, 0, 0);\n}",
    "c",
    {
      stage: "link",
      message: "There are no threads here: a program has one.",
      line: 4,
    },
  ],
  [
    "exceptions are refused",
    "int main() {\n  throw 1;\n}",
    "c++",
    {
      stage: "compile",
      message: "cannot use 'throw' with exceptions disabled",
      line: 2,
    },
  ],
  [
    "a text without main is refused",
    "int f() { return 1; }",
    "c",
    {
      stage: "link",
      message: "The program has no function main: add one.",
    },
  ],
  [
    "a mistake in a header has the line that includes it",
    "int a;\n#include <setjmp.h>\nint main() {}",
    "c",
    { stage: "compile", line: 2 },
  ],
];

test.each(WRONG)("%s", async (_name, text, language, problem) => {
  expect(await ask(text, language)).toMatchObject(problem);
});

test("a trap is on the line of its access", async () => {
  const made = await ask(
    "int a[4];\nint sum(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i];\n  return s;\n}\nint main() { return sum(1 << 30); }",
  );
  if (!("wasm" in made)) throw new Error(made.message);
  const { end, about } = await runProgram(made.wasm);
  const { failed } = end as { failed: { at: number[]; message: string } };
  expect(failed.message).toBe("memory access out of bounds");
  expect(lineOfTrap(about, failed.at, codeStart(made.wasm))).toBe(5);
});

test("a warning is kept beside the program", async () => {
  const made = await ask("int main() {\n  int x;\n}");
  expect(made).toMatchObject({
    diagnostics: [
      {
        severity: "warning",
        line: 2,
        message: "unused variable 'x' [-Wunused-variable]",
      },
    ],
  });
});

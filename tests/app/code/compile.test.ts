/** The real compiler, with texts that are right and wrong. */
import { runLLVM } from "@yowasp/clang";
import { beforeAll, expect, test } from "vitest";
import { compile } from "../../../src/app/code/compile";
import type { Language } from "../../../src/model/code/program";
import { runProgram } from "./runProgram";

beforeAll(async () => {
  await runLLVM(undefined, {}, { fetchProgress: () => undefined });
});

const ask = (text: string, language: Language = "c", options: string[] = []) =>
  compile(runLLVM, { text, language, level: "1", options });

test("a program of C prints its arguments", async () => {
  const made = await ask(
    '#include <stdio.h>\nint main(int n, char **v) { printf("%d %s %g\\n", n, v[1], N / 4.0); return 3; }',
    "c",
    ["-DN=5"],
  );
  if (!("wasm" in made)) throw new Error(made.message);
  const ran = await runProgram(made.wasm, { args: ["program", "one"] });
  expect(ran).toMatchObject({
    output: "2 one 1.25\n",
    end: { done: { status: 3 } },
  });
});

test("a program of C++ makes an object", async () => {
  const made = await ask(
    '#include <cstdio>\nstruct Sum { int n = 0; template <class T> void add(T x) { n += x; } };\nint main() { auto *s = new Sum; s->add(40); std::printf("%d", s->n); delete s; }',
    "c++",
  );
  if (!("wasm" in made)) throw new Error(made.message);
  const ran = await runProgram(made.wasm);
  expect(ran).toMatchObject({ output: "40", end: { done: { status: 0 } } });
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

/** The line with the comment `here` is that of the trap. */
const TRAPS: readonly [message: string, text: string][] = [
  [
    "memory access out of bounds",
    `int a[4];
int sum(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i]; // here
  return s;
}
int main() { return sum(1 << 30); }`,
  ],
  [
    "unreachable",
    `#include <stdlib.h>
int a[4];
int main(int n, char **v) {
  a[n] = 1;
  if (n == 1)
    abort(); // here
  a[n + 1] = 2;
  return a[n];
}`,
  ],
  [
    "unreachable",
    `#include <assert.h>
int a[4];
int main(int n, char **v) {
  a[n] = n;
  int b = a[n] + n;
  assert(b == 3); // here
  return a[b];
}`,
  ],
  [
    "divide by zero",
    `int a[4];
int main(int n, char **v) {
  a[n] = n - 1;
  int d = a[n];
  int q = 7;
  if (n < 5)
    q = n / d; // here
  a[0] = q;
  return 0;
}`,
  ],
  [
    "unreachable",
    `int a[4];
int main(int n, char **v) {
  a[n] = n;
  if (a[n] == 1)
    __builtin_trap(); // here
  return a[0];
}`,
  ],
];

test.each(TRAPS)("a trap has its line: %s, %s", async (message, text) => {
  const made = await ask(text);
  if (!("wasm" in made)) throw new Error(made.message);
  const { end, place } = await runProgram(made.wasm);
  expect(end.failed?.message).toBe(message);
  const lines = text.split("\n");
  expect(place?.line).toBe(
    1 + lines.findIndex((line) => line.endsWith("// here")),
  );
});

test("macros have new values in the second compilation, too", async () => {
  const text = '#include <stdio.h>\nint main() { printf("%d", N); }';
  const outputs = [];
  for (const option of ["-DN=1", "-DN=2"]) {
    const made = await ask(text, "c", [option]);
    if (!("wasm" in made)) throw new Error(made.message);
    outputs.push((await runProgram(made.wasm)).output);
  }
  expect(outputs).toEqual(["1", "2"]);
});

test("an unknown option is said", async () => {
  expect(await ask("int main() {}", "c", ["-frobnicate"])).toMatchObject({
    stage: "compile",
  });
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

/** Programs that stop, compiled and run: what is said about each. */
import { runLLVM } from "@yowasp/clang";
import { beforeAll, expect, test } from "vitest";
import { compile } from "../../../src/app/code/compile";
import { nullsOf } from "../../../src/model/code/nulls";
import type { Language } from "../../../src/model/code/program";
import { recordCounter } from "../../../src/model/code/records";
import { trapText } from "../../../src/model/code/traps";
import { runProgram } from "./runProgram";

beforeAll(async () => {
  await runLLVM(undefined, {}, { fetchProgress: () => undefined });
});

/** What is said about the end of a program, after its line. */
async function said(text: string, language: Language = "c"): Promise<string> {
  const made = await compile(runLLVM, { text, language, level: "1" });
  if (!("wasm" in made)) throw new Error(made.message);
  const { about, chunks, end, output, place } = await runProgram(made.wasm);
  const records = chunks.map((chunk) => new Uint32Array(chunk));
  const nulls = new Map<number, number>();
  const count = recordCounter(about, (site, n) => nulls.set(site, n));
  for (const each of records) expect(count(each)).toBeDefined();
  const notes = nullsOf(about, nulls);
  const { failed } = end;
  if (!failed) return notes.join(" ");
  const { message, last, size } = failed;
  const trap = trapText({
    message,
    ...place,
    last: new Uint32Array(last),
    bytes: size,
    about,
    lines: text.split("\n"),
    chunks: records,
    output,
  });
  return [...notes, `Line ${place?.line ?? 0}: ${trap}`].join(" ");
}

const START = "#include <stdlib.h>\n#include <stdio.h>\n#include <assert.h>\n";

const CASES: readonly [string, RegExp, Language?][] = [
  [
    `int b[100];
int main(void) {
  for (long i = 0; i < 1 << 30; i++)
    b[7] += b[i];
  return b[7];
}`,
    /^Line 7: The program stopped: a load of 4 bytes at 0x5555[0-9a-f]+ is outside of its memory, [\d,]+ bytes after the end of b\[100\]\.$/,
  ],
  [
    `int main(void) {
  int *a = malloc(40);
  a[300000000] = 5;
  printf("%d", a[0]);
}`,
    /^Line 6: .* a store of 4 bytes at 0x[0-9a-f]+ is outside of its memory, 1,199,999,960 bytes after the end of a \(malloc, line 5\)\.$/,
  ],
  [
    `int main(int n, char **v) {
  int *a = calloc(n + 9, 4);
  for (int i = 0; i < 10; i++) a[i] += n;
  for (int i = 0; i > -(1 << 28); i--)
    n += a[i];
  return n;
}`,
    /^Line 8: .* a load of 4 bytes at 0x[0-9a-f]+ is outside of its memory, [\d,]+ bytes before the start of a \(calloc, line 5\)\.$/,
  ],
  [
    `int f(int n) { volatile char part[4096]; part[n & 4095] = 1; return f(n + 1) + part[0]; }
int main(void) { return f(1); }`,
    /^Line 4: .*its stack of 1\.0 MiB is full/,
  ],
  [
    `int g(int n) { return n == -1 ? 0 : g(n + 1) ^ (n * 3); }
int (*volatile h)(int) = g;
int k(int n) { return h == 0 ? n : 1 + k(n + h(-1)  + 1) * 3; }
int main(void) { return k(1); }`,
    /its calls are nested too deeply, so a recursion may have no end\./,
  ],
  [
    "int main(int n, char **v) {\n  assert(n == 2);\n}",
    /^Line 5: The program stopped: the assertion “n == 2” failed\.$/,
  ],
  ["int main(void) {\n  abort();\n}", /^Line 5: .*: it called abort\.$/],
  [
    "int main(void) {\n  int *a = NULL; *a = 5;\n}",
    /^Line 5: .*the compiler put a trap here.*a null pointer/,
  ],
  [
    "int main(int n, char **v) {\n  return 7 / (n - 1);\n}",
    /^Line 5: The program stopped: it divided by zero\.$/,
  ],
  [
    `int main(void) {
  char *all = malloc(2000000000u);
  printf("%p", all);
}`,
    /^Line 5: malloc had no room for 1\.9 GiB and returned a null pointer\. A program gets at most 1\.0 GiB of memory\.$/,
  ],
  [
    `#include <vector>
int main(int n, char **v) {
  std::vector<char> all(2000000000u + n);
  return all[n];
}`,
    /had no room for 1\.9 GiB and returned a null pointer.*it called abort\.$/,
    "c++",
  ],
];

test.each(CASES)("the end of %s is said", async (text, expected, language) => {
  expect(await said(START + text, language)).toMatch(expected);
});

// Compiles C and C++ in the built site.

/**
 * `bytes` are those of the download. @typedef {{bytes: number, firstSeconds: number, warmSeconds: number, streamSeconds:
 * number}} Compilation
 */

const C = `#include <stdio.h>
static double a[256][256], b[256][256], c[256][256];
int main(void) {
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 256; j++)
      for (int k = 0; k < 16; k++)
        c[i][j] += a[i][k] * b[k][j];
  printf("%g\\n", c[1][1]);
  return 0;
}
`;
const STREAM = `#include <iostream>
int main() { std::cout << 42 << std::endl; }
`;

/** @param page at the app, opened with `?test` @returns {Promise<Compilation>} */
export async function measureCompilation(page, repetitions) {
  const seconds = async (text, language) =>
    page.evaluate(compile, { text, language });
  const bytes = await page.evaluate(loadCompiler);
  const firstSeconds = await seconds(C, "c");
  let warmSeconds = Infinity;
  for (let i = 0; i < repetitions; i += 1)
    warmSeconds = Math.min(warmSeconds, await seconds(C, "c"));
  return {
    bytes,
    firstSeconds,
    warmSeconds,
    streamSeconds: await seconds(STREAM, "c++"),
  };
}

/** Downloads the compiler, and starts it. Returns the bytes of the download. */
async function loadCompiler() {
  const programs = await globalThis.__pagewalk.programs();
  const hooks = { signal: new AbortController().signal, onStep: () => {} };
  const problem = await programs.load(hooks);
  if (problem) throw new Error(problem.message);
  return (await programs.compiler()).bytes;
}

/** Returns the seconds between the steps “compiling” and “instrumenting”. */
async function compile({ text, language }) {
  const programs = await globalThis.__pagewalk.programs();
  const at = {};
  const made = await programs.run(
    { source: { text, language, level: "1" } },
    [],
    {
      signal: new AbortController().signal,
      onStep: ({ what }) => {
        at[what] ??= performance.now();
      },
    },
  );
  if (!made || "stage" in made) throw new Error(made?.message ?? "aborted");
  return (at.instrumenting - at.compiling) / 1000;
}

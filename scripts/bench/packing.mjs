// Measures programs in the built site, from the start of their sandbox to the packed trace. They are packed while they run, as
// on the screen Code.
import { readFileSync } from "node:fs";
import { inRoot } from "../lib/paths.mjs";
import { PROGRAMS } from "./programs.js";

/**
 * @param page at the app, opened with `?test`
 * @returns {Promise<Record<string, {accesses: number, seconds: number}>>} by program the fastest of the runs
 */
export async function measurePacking(page, repetitions) {
  const found = {};
  for (const name of PROGRAMS) {
    const file = inRoot("scripts", "bench", "programs", `${name}.wasm`);
    const wasm = readFileSync(file).toString("base64");
    found[name] = await page.evaluate(pack, { name, wasm, repetitions });
  }
  return found;
}

/** One engine serves all runs of a program, as on the screen Code. */
async function pack({ name, wasm, repetitions }) {
  const { programs, newEngine } = globalThis.__pagewalk;
  const service = await programs();
  const engine = newEngine();
  await engine.call("prefetch", {});
  const bytes = Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0));
  let best = { accesses: 0, seconds: Infinity };
  for (let i = 0; i < repetitions; i += 1) {
    const { signal } = new AbortController();
    let start;
    let packed;
    const packing = {
      begin: (file) => (packed = engine.start("import", { file, name })),
      onEnd: () => {},
    };
    const made = await service.run({ wasm: bytes, name }, [], {
      signal,
      packing,
      onStep: ({ what }) => {
        if (what === "running") start ??= performance.now();
      },
    });
    if (!made || "stage" in made) throw new Error(made?.message ?? "aborted");
    const { n_accesses: accesses } = await packed;
    const seconds = (performance.now() - start) / 1000;
    if (seconds < best.seconds) best = { accesses, seconds };
  }
  engine.dispose();
  return best;
}

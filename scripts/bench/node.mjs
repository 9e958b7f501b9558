// Measures the wasm module in Node.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { pkg } from "../lib/paths.mjs";
import { measure } from "./measure.js";
import { measurePrograms } from "./programs.mjs";

export async function measureInNode(job) {
  // The module's panic hook calls this before it traps.
  globalThis.__pagewalkPanic = (message) => console.error(message);
  const module = await WebAssembly.compile(
    readFileSync(path.join(pkg, "pagewalk_bg.wasm")),
  );
  const binding = pathToFileURL(path.join(pkg, "pagewalk.js")).href;
  let number = 0;
  const load = async () => {
    // The binding stores its instance in a variable of its module, so a new instance needs a new module.
    number += 1;
    const { wholeSession, initSync } = await import(
      `${binding}?instance=${number}`
    );
    const { memory } = initSync({ module });
    return { session: wholeSession(), memory };
  };
  const measured = await measure(load, job, async (file) => readFileSync(file));
  return {
    ...measured,
    programs: await measurePrograms(load, job.repetitions),
  };
}

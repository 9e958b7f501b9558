// The wasm module in a page: what page.html is told to do.
import { measure } from "./measure.js";

const PKG = "../../src/engine/pkg/";

/** @param job its files are addresses where they are served */
export async function measureInPage(job) {
  // The module's panic hook calls this before it traps.
  globalThis.__pagewalkPanic = (message) => console.error(message);
  const module = await WebAssembly.compileStreaming(
    fetch(new URL(`${PKG}pagewalk_bg.wasm`, import.meta.url)),
  );
  let number = 0;
  const load = async () => {
    // The binding keeps its instance in a variable: a fresh one needs a fresh module.
    number += 1;
    const { wholeSession, initSync } = await import(
      `${PKG}pagewalk.js?instance=${number}`
    );
    const { memory } = initSync({ module });
    return { session: wholeSession(), memory };
  };
  const read = async (url) =>
    new Uint8Array(await (await fetch(url)).arrayBuffer());
  return measure(load, job, read);
}

// Measures the wasm module in a page. `page.html` loads this script.
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
    // The binding stores its instance in a variable of its module, so a new instance needs a new module.
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

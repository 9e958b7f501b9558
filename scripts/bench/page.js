// Measures the wasm module in a page. `page.html` loads this script.
import { measure } from "./measure.js";
import { measurePrograms } from "./programs.js";

const PKG = "../../src/engine/pkg/";

/** @param job its files are addresses where they are served */
export async function measureInPage(job) {
  const load = await loader();
  const programs = await programsInPage();
  return {
    ...(await measure(load, job, read)),
    programs: await measurePrograms(load, programs, job.repetitions),
  };
}

/** Returns a function that gives a session of a fresh instance. */
export async function loader() {
  // The module's panic hook calls this before it traps.
  globalThis.__pagewalkPanic = (message) => console.error(message);
  const module = await WebAssembly.compileStreaming(
    fetch(new URL(`${PKG}pagewalk_bg.wasm`, import.meta.url)),
  );
  let number = 0;
  return async () => {
    // The binding stores its instance in a variable of its module, so a new instance needs a new module.
    number += 1;
    const { wholeSession, initSync } = await import(
      `${PKG}pagewalk.js?instance=${number}`
    );
    const { memory } = initSync({ module });
    return { session: wholeSession(), memory };
  };
}

async function read(url) {
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}

/** Programs run in a worker, which ends with them. */
export async function programsInPage() {
  const { default: init, Program } = await import(
    `${PKG}instrument/pagewalk.js`
  );
  await init();
  const at = (file) => new URL(file, import.meta.url);
  const host = URL.createObjectURL(
    new Blob([await read(at("../../src/app/code/host.js"))], {
      type: "text/javascript",
    }),
  );
  return {
    read: (name) => read(at(`programs/${name}.wasm`)),
    instrument: (bytes) => new Program(bytes),
    start(message, receive) {
      const worker = new globalThis.Worker(host);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => {
        if (data.chunk === undefined && data.output === undefined)
          worker.terminate();
        receive(data);
      };
      worker.postMessage(message, [port2]);
    },
  };
}

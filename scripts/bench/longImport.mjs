// Imports a file of 2 GB in the app. Measures the memory of the worker, and whether the page stays responsive.

/** The size of the file in bytes. */
const BYTES = 2e9;
/** The time after which the second import is cancelled, in milliseconds. */
const CANCEL_AFTER_MS = 1500;

/**
 * Imports a file with many copies of trace (c), then starts the import again and cancels it. @param page at the
 * app, opened with `?test` @param {string} recorded where trace (c) is served
 */
export async function measureLongImport(page, recorded) {
  const [worker] = page.workers();
  if (!worker) throw new Error("The app has no worker.");
  const whole = await page.evaluate(importWhole, [recorded, BYTES]);
  const memoryBytes = await worker.evaluate(
    () => globalThis.__benchMemory.buffer.byteLength,
  );
  const cancelMs = await page.evaluate(cancel, CANCEL_AFTER_MS);
  return { ...whole, memoryBytes, cancelMs };
}

/**
 * Makes workers store the memory of their module where the benchmark finds it. The change is made while the scripts
 * are loaded, so the files of the app stay the same.
 */
export async function keepMemory(context) {
  await context.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const body = `(${keep.toString()})();\n${await response.text()}`;
    await route.fulfill({ response, body });
  });
}

function keep() {
  const { instantiate, instantiateStreaming } = WebAssembly;
  const kept = (result) => {
    globalThis.__benchMemory = (result.instance ?? result).exports.memory;
    return result;
  };
  WebAssembly.instantiate = async (...all) => kept(await instantiate(...all));
  WebAssembly.instantiateStreaming = async (...all) =>
    kept(await instantiateStreaming(...all));
}

/** Runs in the page: imports the file to its end. */
async function importWhole([recorded, least]) {
  const { requestAnimationFrame } = globalThis;
  const { actions } = globalThis.__pagewalk;
  const part = await (await fetch(recorded)).blob();
  // A blob can contain another one many times.
  const parts = Array.from(
    { length: Math.ceil(least / part.size) },
    () => part,
  );
  const file = new Blob(parts);
  globalThis.__benchFile = file;

  let longestFrameMs = 0;
  let last = performance.now();
  let frames = true;
  const watch = (now) => {
    longestFrameMs = Math.max(longestFrameMs, now - last);
    last = now;
    if (frames) requestAnimationFrame(watch);
  };
  await new Promise(requestAnimationFrame);
  last = performance.now();
  requestAnimationFrame(watch);

  const start = performance.now();
  let seconds;
  await new Promise((resolve, reject) => {
    const name = "long.lackey";
    const onRead = () => {
      seconds = (performance.now() - start) / 1000;
      frames = false;
      resolve();
    };
    const onRefused = (why) => {
      reject(why);
      return true;
    };
    const limit = 2 ** 32 - 1;
    void actions.importFile({ file, name, limit, onRead, onRefused });
  });
  return { bytes: file.size, seconds, longestFrameMs };
}

/** Runs in the page: returns the milliseconds from the cancellation to the end of the import. */
async function cancel(afterMs) {
  const { store, actions } = globalThis.__pagewalk;
  const ended = actions.importFile({
    file: globalThis.__benchFile,
    name: "long.lackey",
  });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  if (store.getState().importing === undefined)
    throw new Error("The import was over before it was cancelled.");
  const start = performance.now();
  actions.cancelImport();
  await ended;
  return performance.now() - start;
}

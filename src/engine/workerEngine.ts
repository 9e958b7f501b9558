/** The engine of the app, whose session runs in a worker. */
import { EngineClient } from "./client";
import type { Connect } from "./connection";
import { portsOf } from "./protocol";
import type { Reply } from "./protocol";

/** The milliseconds in which the script of the worker has to start. The page's own scripts are larger. */
const START_MS = 60_000;

const connectWorker: Connect = (receive) => {
  // `randomUUID` is missing in a frame of a page without https.
  const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const name = `pagewalk engine ${id}`;
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    name,
  });
  const ended = new AbortController();
  let isReady = false;
  const fail = (why: string) => {
    end();
    // A worker that was ready is replaced. One that never was would fail again.
    const remedy = isReady ? "" : " Reload the page.";
    const message = `The simulator's worker stopped: ${why}${remedy}`;
    receive({ type: "dead", error: { code: "crashed", message } });
  };
  const late = setTimeout(
    () => fail("its script has not started for a minute."),
    START_MS,
  );
  const end = () => {
    clearTimeout(late);
    ended.abort();
  };
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    if (data.type === "started") {
      clearTimeout(late);
      onceFree(name, ended.signal, () => fail("the browser ended it."));
    } else if (data.type === "ready") isReady = true;
    receive(data);
  };
  // Errors outside a request: the script did not load, or the browser ended the worker.
  worker.onerror = (event) => {
    event.preventDefault();
    fail(event.message || "its script could not be loaded.");
  };
  return {
    post: (request) => worker.postMessage(request, portsOf(request)),
    close: () => {
      end();
      worker.terminate();
    },
  };
};

/**
 * Calls `then` when the lock with this name is free. The worker holds the lock until it ends, even if it ends without
 * an error.
 */
function onceFree(name: string, signal: AbortSignal, then: () => void): void {
  const locks = navigator.locks as LockManager | undefined;
  locks?.request(name, { signal }, then).catch(() => undefined);
}

export function workerEngine(): EngineClient {
  // One processor is left for the replay and the page.
  const nRunners = Math.max(1, navigator.hardwareConcurrency - 1);
  return new EngineClient(connectWorker, nRunners);
}

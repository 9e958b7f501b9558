/** The engine of the app, whose session runs in a worker. */
import { EngineClient } from "./client";
import type { Connect } from "./connection";
import type { Reply } from "./protocol";

const connectWorker: Connect = (receive) => {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    name: "pagewalk engine",
  });
  worker.onmessage = ({ data }: MessageEvent<Reply>) => receive(data);
  // Errors outside a request: the script did not load, or the browser ended the worker.
  worker.onerror = (event) => {
    event.preventDefault();
    receive({
      type: "dead",
      error: {
        code: "crashed",
        message: `The simulator's worker stopped: ${event.message || "its script could not be loaded. Reload the page."}`,
      },
    });
  };
  return {
    post: (request) => worker.postMessage(request),
    close: () => worker.terminate(),
  };
};

export function workerEngine(): EngineClient {
  // One processor is the replay's and the page's.
  const nRunners = Math.max(1, navigator.hardwareConcurrency - 1);
  return new EngineClient(connectWorker, nRunners);
}

/** The worker that measures, as the page sees it. Each measurement has a worker of its own. */
import type { MeasureService } from "../../state/measure/service";
import type { MeasureAnswer } from "./measureMessages";

export const measureService: MeasureService = {
  measure: (job, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(
        new URL("./measureWorker.ts", import.meta.url),
        {
          type: "module",
        },
      );
      const end = () => {
        worker.terminate();
        signal.removeEventListener("abort", abort);
      };
      const fail = (why: string) => {
        end();
        reject(new Error(why));
      };
      const abort = () => fail("The measurement was cancelled.");
      signal.addEventListener("abort", abort);
      worker.onmessage = ({ data }: MessageEvent<MeasureAnswer>) => {
        if ("progress" in data) onProgress(data.progress);
        else if ("problem" in data) fail(data.problem);
        else {
          end();
          resolve(data.samples);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        fail("The measurement could not start: reload the page.");
      };
      worker.postMessage(job);
    }),
};

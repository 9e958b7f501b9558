// Times `pagewalk huge` on all processors, and `pagewalk run` on the same trace.
import { mustRun } from "../lib/run.mjs";
import { program } from "./sweep.mjs";

/** The number of tries; the fastest one counts. */
const TRIES = 3;

/** @returns {Promise<{run: number, huge: number}>} seconds, with the import of the trace */
export async function measureHuge(traceFile) {
  const seconds = { run: Infinity, huge: Infinity };
  for (let n = 0; n < TRIES; n += 1) {
    for (const command of ["run", "huge"]) {
      const args = [command, "--cpu", "amd-zen2", "--trace", traceFile];
      const start = performance.now();
      await mustRun(`pagewalk ${command}`, program(), args, {});
      const took = (performance.now() - start) / 1000;
      seconds[command] = Math.min(seconds[command], took);
    }
  }
  return seconds;
}

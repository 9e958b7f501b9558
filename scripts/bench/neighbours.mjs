// Measures the load of other programs during a measurement, because it makes results slower.
import { cpus } from "node:os";

/**
 * @param work takes one core for as long as it runs
 * @returns {Promise<{result: unknown, otherCores: number}>} otherCores = cores that others used, on average
 */
export async function measureLoad(work) {
  const [busyBefore, start] = [busyMs(), performance.now()];
  const result = await work();
  const cores = (busyMs() - busyBefore) / (performance.now() - start);
  return { result, otherCores: Math.max(0, cores - 1) };
}

function busyMs() {
  const busy = cpus().map(({ times }) => times.user + times.nice + times.sys);
  return busy.reduce((sum, ms) => sum + ms, 0);
}

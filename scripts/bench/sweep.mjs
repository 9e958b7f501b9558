// Times a sweep of the native program, on one thread and on two.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { simCore } from "../lib/paths.mjs";
import { Stop, mustRun } from "../lib/run.mjs";
import { benchCache } from "./workloads.mjs";

/** The sweep. Its rows have different durations, and together take longer than the generation of the trace. */
const SPEC = {
  traces: [
    { workload: "uniform", params: { accesses: 1_000_000, bytes: "256M" } },
  ],
  base: { cpu: "intel-skylake-sp" },
  axes: [
    {
      field: "machine.l2[0].entries",
      range: { from: 192, to: 24576, times: 2 },
    },
    { field: "virt", values: ["native", "ept"] },
  ],
};
/** The number of tries; the fastest one counts. */
const TRIES = 3;

/** @returns {Promise<{rows: number, seconds: number[]}>} with one thread and with two */
export async function measureSweep() {
  const cargo = ["build", "-q", "--release", "-p", "pagewalk-cli"];
  await mustRun("cargo build", "cargo", cargo, { cwd: simCore });
  const spec = path.join(benchCache, "sweep.json");
  mkdirSync(benchCache, { recursive: true });
  writeFileSync(spec, JSON.stringify(SPEC));
  const seconds = [Infinity, Infinity];
  const files = [new Set(), new Set()];
  let rows = 0;
  for (let n = 0; n < TRIES; n += 1) {
    for (const [at, jobs] of [1, 2].entries()) {
      const out = path.join(benchCache, `sweep-${jobs}.jsonl`);
      rmSync(out, { force: true });
      const start = performance.now();
      const args = ["sweep", spec, "--jobs", String(jobs), "--out", out];
      await mustRun("pagewalk sweep", program(), args, { cwd: benchCache });
      const took = (performance.now() - start) / 1000;
      seconds[at] = Math.min(seconds[at], took);
      const text = readFileSync(out, "utf8");
      files[at].add(text);
      rows = text.split("\n").length - 1;
    }
  }
  if (new Set(files.flatMap((texts) => [...texts])).size !== 1)
    throw new Stop("A sweep gives other rows with other threads.");
  return { rows, seconds };
}

export const program = () =>
  path.join(
    process.env.CARGO_TARGET_DIR ?? path.join(simCore, "target"),
    "release",
    "pagewalk",
  );

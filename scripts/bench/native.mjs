// Measures the core as a native program: cargo's benchmark `simulate`, which prints JSON lines.
import { spawn } from "node:child_process";
import { simCore } from "../lib/paths.mjs";
import { Stop, mustRun } from "../lib/run.mjs";
import { step } from "../lib/steps.mjs";

const BENCH = ["bench", "-q", "-p", "pagewalk-core", "--bench", "simulate"];

/** Compiles the benchmark, so that later steps only run it. */
export function buildNative() {
  return step("Building the native bench", () =>
    mustRun("cargo bench", "cargo", [...BENCH, "--no-run"], { cwd: simCore }),
  );
}

/** Writes the accesses of a trace file as lackey text, and repeats them until there are `accesses`. */
export async function repeatTrace(source, target, accesses) {
  await simulate("repeat", source, target, String(accesses));
}

/** @returns what `measure` of measure.js returns, measured natively */
export async function measureNative(traceFile, repetitions) {
  const lines = await simulate("measure", String(repetitions), traceFile);
  const measured = { traces: {}, imports: {}, careful: {} };
  for (const line of lines) {
    if ("careful" in line) measured.careful[line.careful] = line.seconds;
    else if ("trace" in line) measured.traces[line.trace] = line;
    else if ("import" in line) measured.imports[line.import] = line;
    else Object.assign(measured, line);
  }
  return measured;
}

function simulate(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn("cargo", [...BENCH, "--", ...args], {
      cwd: simCore,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const stop = () => child.kill();
    process.once("exit", stop);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("exit", stop);
      if (code === 0) resolve(parseLines(output));
      else reject(new Stop(`The native bench failed (exit code ${code}).`));
    });
  });
}

const parseLines = (output) =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

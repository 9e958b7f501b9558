// Makes trace (c): a lackey trace of a program on this machine, or repetitions of an example trace.
import { spawn } from "node:child_process";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { inRoot } from "../lib/paths.mjs";
import { which } from "../lib/run.mjs";
import { step } from "../lib/steps.mjs";
import { N_RECORDED, benchCache } from "./workloads.mjs";
import { repeatTrace } from "./native.mjs";

/**
 * The programs to record, tried in this order until one makes enough accesses. The last one is long enough on every
 * machine.
 */
const PROGRAMS = [
  ["ls", "-lR", "/usr/include/linux"],
  ["ls", "-lR", "/usr/share"],
  ["awk", "BEGIN { for (i = 0; i < 200000; i++) n[i % 5000] += i }"],
];

/** The recording of the trace that the site opens with. */
const SHIPPED = "tests/fixtures/traces/chase.lackey.xz";

/** The largest number of lines of a recording. A large folder would give gigabytes. */
const MAX_LINES = 16_000_000;

const file = path.join(benchCache, "recorded.lackey");
const note = path.join(benchCache, "recorded.json");

/**
 * Finds the trace in the cache, or makes it.
 * @returns {Promise<{file: string, bytes: number, origin: string}>} origin = how it was made, for the table
 */
export async function recordedTrace() {
  mkdirSync(benchCache, { recursive: true });
  const origin =
    cachedOrigin() ??
    (await recorded()) ??
    (await step("Repeating a shipped trace", repeated));
  const { size } = statSync(file);
  writeFileSync(note, JSON.stringify({ origin, size }));
  return { file, bytes: size, origin };
}

/** An incomplete recording has no note, or a note with another size. */
function cachedOrigin() {
  if (!existsSync(file) || !existsSync(note)) return undefined;
  const { origin, size } = JSON.parse(readFileSync(note, "utf8"));
  return statSync(file).size === size ? origin : undefined;
}

async function recorded() {
  const valgrind = which("valgrind");
  if (!valgrind) return undefined;
  for (const program of PROGRAMS) {
    if (!which(program[0])) continue;
    const words = program.join(" ");
    const { lines, cut } = await step(`Recording ${words} with lackey`, () =>
      record(valgrind, program),
    );
    if (lines < N_RECORDED) continue;
    renameSync(`${file}.part`, file);
    return `${cut ? "the beginning of a" : "a"} lackey trace of \`${words}\``;
  }
  return undefined;
}

/** Writes lackey's output to a separate channel, so that the program's output is not mixed into it. */
function record(valgrind, program) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      valgrind,
      ["--tool=lackey", "--trace-mem=yes", "--log-fd=3", ...program],
      { stdio: ["ignore", "ignore", "ignore", "pipe"] },
    );
    const stop = () => child.kill();
    process.once("exit", stop);
    const out = createWriteStream(`${file}.part`);
    const log = child.stdio[3];
    let lines = 0;
    let cut = false;
    log.on("data", (chunk) => {
      if (cut) return;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1))
        lines += 1;
      cut = lines >= MAX_LINES;
      // A recording that is cut short must end with a whole line.
      const end = cut ? chunk.lastIndexOf(10) + 1 : chunk.length;
      if (!out.write(chunk.subarray(0, end))) {
        log.pause();
        out.once("drain", () => log.resume());
      }
      if (cut) stop();
    });
    log.on("end", () => out.end());
    child.on("error", reject);
    out.on("error", reject);
    out.on("finish", () => {
      process.off("exit", stop);
      resolve({ lines, cut });
    });
  });
}

async function repeated() {
  await repeatTrace(inRoot(...SHIPPED.split("/")), file, N_RECORDED);
  return `${SHIPPED} over and over`;
}

// Times other programs beside Pagewalk, each as a whole process on one program.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { Stop, which } from "../lib/run.mjs";
import { benchCache } from "./workloads.mjs";

/** Some 10 million accesses on most machines. */
const PROGRAM = ["ls", "-lR", "/usr/include/linux"];
const TRIES = 3;
const nowhere = openSync("/dev/null", "w");
const NOWHERE = ["ignore", nowhere, nowhere];
const LACKEY = ["--tool=lackey", "--trace-mem=yes"];
/** The arrays of the bench's machine, as caches whose lines are pages: 16 × 8, 16 × 4 and 128 × 12. */
const CACHEGRIND = [
  "--tool=cachegrind",
  "--cache-sim=yes",
  "--cachegrind-out-file=/dev/null",
  `--I1=${128 << 12},8,4096`,
  `--D1=${64 << 12},4,4096`,
  `--LL=${1536 << 12},12,4096`,
];

/**
 * @param {string} pagewalk the program
 * @returns {Record<"lackey" | "record" | "run" | "cachegrind", number> | undefined} the fewest seconds; undefined without valgrind, or without the folder
 */
export function measurePeers(pagewalk) {
  const [command, , folder] = PROGRAM;
  if (!which("valgrind") || !which(command) || !existsSync(folder))
    return undefined;
  mkdirSync(benchCache, { recursive: true });
  const trace = path.join(benchCache, "peers.pagewalk");
  const record = ["record", "-o", trace, "--with", "lackey", "--", ...PROGRAM];
  const commands = {
    lackey: ["valgrind", ...LACKEY, ...PROGRAM],
    record: [pagewalk, ...record],
    run: [pagewalk, "run", "--cpu", "intel-skylake-sp", "--trace", trace],
    cachegrind: ["valgrind", ...CACHEGRIND, ...PROGRAM],
  };
  const seconds = {};
  // One after the other in each round, so that a busy minute slows all of them.
  for (let n = 0; n < TRIES; n += 1)
    for (const [name, words] of Object.entries(commands))
      seconds[name] = Math.min(seconds[name] ?? Infinity, time(words));
  return seconds;
}

function time([command, ...args]) {
  const start = performance.now();
  const { status } = spawnSync(command, args, { stdio: NOWHERE });
  if (status !== 0) throw new Stop(`${command} ${args.join(" ")} failed`);
  return (performance.now() - start) / 1000;
}

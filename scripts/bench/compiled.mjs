// Records C programs that `pagewalk cc` compiles, and takes the speed that the command prints.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { inRoot } from "../lib/paths.mjs";
import { Stop, which } from "../lib/run.mjs";
import { benchCache } from "./workloads.mjs";

/** The programs, and what they are called with: 34.6 and 55.9 million accesses. */
const PROGRAMS = { join: "1350000", mergesort: "300000" };
/** The number of tries; the fastest one counts. */
const TRIES = 3;

/**
 * @param {string} pagewalk the program
 * @returns {Record<string, number> | undefined} accesses per second; undefined without a compiler
 */
export function measureCompiled(pagewalk) {
  if (!which("cc")) return undefined;
  mkdirSync(benchCache, { recursive: true });
  const speeds = Object.entries(PROGRAMS).map(([name, argument]) => {
    const source = inRoot("scripts", "bench", "programs", `${name}.c`);
    const program = path.join(benchCache, name);
    run(pagewalk, ["cc", "-O2", "-g", "-o", program, source]);
    const trace = `${program}.pagewalk`;
    const tries = Array.from({ length: TRIES }, () =>
      speed(run(pagewalk, ["record", "-o", trace, "--", program, argument])),
    );
    return [name, Math.max(...tries)];
  });
  return Object.fromEntries(speeds);
}

function run(program, words) {
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Stop(`${words.join(" ")} failed: ${stderr}`);
  return stderr;
}

/** `join.pagewalk: 34,615,624 accesses in 1.5 s (22.9 M/s), …` */
function speed(text) {
  const [, number, unit] = /\(([\d.]+) ([kMG])?\/s\)/.exec(text) ?? [];
  if (!number) throw new Stop(`record says no speed: ${text}`);
  return Number(number) * { k: 1e3, M: 1e6, G: 1e9 }[unit];
}

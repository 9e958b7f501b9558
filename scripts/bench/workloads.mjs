// What is measured, and where the bench keeps what it makes.
import { readFileSync } from "node:fs";
import path from "node:path";
import { cache, inRoot } from "../lib/paths.mjs";

export const benchCache = path.join(cache, "bench");

const machineFile = inRoot("sim-core", "benches", "simulate", "machine.json");

/** JSON as `Session.configure` reads it; the native bench has the same machine from the same file. */
export const setup = () =>
  JSON.stringify({ machine: JSON.parse(readFileSync(machineFile, "utf8")) });

/** The generated traces, as in the native bench: 10 M loads over 1 GiB. A stride of 0 is random. */
export const GENERATED = [
  { trace: "a", n: 10_000_000, bytes: 2 ** 30, stride: 64 },
  { trace: "b", n: 10_000_000, bytes: 2 ** 30, stride: 0 },
];

export const N_SEEKS = 100;

/** The recorded trace has at least so many accesses. */
export const N_RECORDED = 10_000_000;

// The measured workloads, and the folder of the bench's files.
import { readFileSync } from "node:fs";
import path from "node:path";
import { cache, inRoot } from "../lib/paths.mjs";

export const benchCache = path.join(cache, "bench");

const machineOf = (...file) =>
  JSON.parse(readFileSync(inRoot("sim-core", ...file), "utf8"));

/** Setups as `Session.configure` reads them; the native bench has the same machines from the same files. */
function setups() {
  const plain = machineOf("benches", "simulate", "machine.json");
  const { machine } = machineOf("cpus", "intel-skylake-sp.json");
  const memory = { ...machine.memory, data: false };
  const nested = {
    machine: { ...machine, memory },
    os: { virt: "ept" },
  };
  const guest = { machine, os: { virt: "ept" } };
  const texts = {
    plain: { machine: plain },
    nested,
    whole: { machine },
    guest,
  };
  return Object.fromEntries(
    Object.entries(texts).map(([name, setup]) => [name, JSON.stringify(setup)]),
  );
}

/** The generated traces, as in the native bench: 10 M loads over 1 GiB. A stride of 0 is random. */
export function workloads() {
  const { plain, nested, whole, guest } = setups();
  const loads = { n: 10_000_000, bytes: 2 ** 30, stride: 0 };
  return {
    generated: [
      { trace: "a", ...loads, stride: 64, setup: plain },
      { trace: "b", ...loads, setup: plain },
      { trace: "n", ...loads, setup: nested },
      { trace: "m", ...loads, setup: whole, seeks: true },
      { trace: "e", ...loads, setup: guest },
    ],
    recordedSetup: plain,
    // The machine that the site opens with, whose accesses use its caches.
    modelSetup: whole,
    distances: [
      { pages: 4096, n: 5_000_000 },
      { pages: 262_144, n: 5_000_000 },
    ],
  };
}

export const N_SEEKS = 100;

/** The fewest accesses of the recorded trace. */
export const N_RECORDED = 10_000_000;

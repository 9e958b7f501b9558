/** The examples of small machines open on the machine that their link names, and have its hits and misses. */
import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { cpuOf, mappingOf } from "../../src/model/config/cpus";
import { BUILT_IN_TRACES, builtInTrace } from "../../src/state/import/traces";
import type { BuiltInTrace } from "../../src/state/import/traces";
import { wasmEngine } from "./wasm";

const engine = wasmEngine();
afterAll(() => engine.dispose());

/** Returns `machine: hits and misses`; an exception is `-`, and a miss has the page that it evicts. */
async function replayed({ file, id, cpu = "" }: BuiltInTrace) {
  const model = cpuOf(await engine.call("cpus", {}), cpu);
  if (!model) throw new Error(`There is no ${cpu}.`);
  const { machine } = model;
  const bytes = await readFile(`public/traces/${file}`);
  const { n_accesses } = await engine.call("open", {
    file: new Blob([Uint8Array.from(bytes)]),
    name: id,
  });
  await engine.call("configure", { machine, os: mappingOf(model, machine) });
  await engine.start("run", {});
  const words: string[] = [];
  for (let index = 0; index < Math.min(12, n_accesses); index += 1) {
    const { step } = await engine.call("seek", { index });
    const [translation] = step.translations;
    const evicted = translation?.fills.find((fill) => fill.evicted)?.evicted;
    const miss = translation?.outcome === "l1-hit" ? "h" : "M";
    words.push(
      translation ? `${miss}${evicted ? Number(evicted.key) : ""}` : "-",
    );
  }
  return `${model.name}: ${words.join(" ")}`;
}

const example = (id: string): BuiltInTrace => {
  const trace = builtInTrace(id);
  if (!trace) throw new Error(`There is no ${id}.`);
  return trace;
};
const belady = example("belady");

test.each([
  [example("csapp"), "CS:APP 14-bit: h h M h - M M - - M"],
  [example("ostep"), "OSTEP 16-byte pages: M h h M h h h M h h h h"],
  [belady, "4-entry TLB, FIFO: M M M M h h M1 M2 M3 M4 M5 M1"],
  [
    { ...belady, cpu: "toy-4-entry:fifo-3" },
    "4-entry TLB, FIFO with 3 entries: M M M M1 M2 M3 M4 h h M1 M2 h",
  ],
  [
    { ...belady, cpu: "toy-4-entry" },
    "4-entry TLB: M M M M h h M3 h h M4 M5 M1",
  ],
])("replayed_%#", async (trace, expected) => {
  expect(await replayed(trace)).toBe(expected);
});

test("each_example_of_a_small_machine_is_replayed_above", () => {
  const small = BUILT_IN_TRACES.filter(({ cpu }) => cpu !== undefined);
  expect(small.map(({ id }) => id)).toEqual(["csapp", "ostep", "belady"]);
});

/** The recordings open at a walk that teaches: found here from the trace alone, by the rule of `opening.ts`. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Engine } from "../../src/engine/calls";
import { teaches } from "../../src/model/replay/opening";
import { DEFAULT_OS } from "../../src/engine/generated/defaults";
import { DEFAULT_CPU } from "../../src/state/config/configurations";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import { wasmEngine } from "./wasm";

async function firstThatTeaches(engine: Engine): Promise<number | null> {
  let at = 0;
  for (;;) {
    const target = { what: "walk" } as const;
    const found = await engine.start("find", {
      index: at,
      direction: 1,
      target,
    });
    if (found === null) return null;
    const { step } = await engine.call("seek", { index: found });
    if (teaches(step)) return found;
    at = found;
  }
}

test.each(["chase", "matmul24"])(
  "%s_opens_at_its_first_walk_with_indices_that_are_not_0",
  async (id) => {
    const trace = BUILT_IN_TRACES.find((each) => each.id === id);
    if (!trace) throw new Error("no such trace");
    const engine = wasmEngine();
    const cpus = await engine.call("cpus", {});
    const machine = cpus.find((cpu) => cpu.id === DEFAULT_CPU)?.machine;
    if (!machine) throw new Error("no default CPU");
    const bytes = await readFile(
      new URL(`../../public/traces/${trace.file}`, import.meta.url),
    );
    const file = new Blob([Uint8Array.from(bytes)]);
    await engine.call("open", { file, name: id });
    await engine.call("configure", { machine, os: DEFAULT_OS });
    await engine.start("run", {});
    expect(await firstThatTeaches(engine)).toBe(trace.teachesAt);
    const { step } = await engine.call("seek", { index: trace.teachesAt ?? 0 });
    expect(step.translations[0]?.cycles.total).toBeGreaterThan(20);
    engine.dispose();
  },
  60_000,
);

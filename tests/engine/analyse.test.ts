/** Tests of questions about a trace: their order in the queue, and the answers of the modules. */
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import type { EngineClient } from "../../src/engine/client";
import { directEngine } from "../../src/engine/directEngine";
import type { Progress, Setup } from "../../src/engine/engine";
import type { Uses } from "../../src/engine/generated/Uses";
import { withDefaults } from "../../src/model/config/defaults";
import { withVirt } from "../../src/model/config/mapping";
import { adviceRows, withHuge } from "../../src/model/whatif/pages";
import { savedBy } from "../../src/model/whatif/savings";
import { fakeModules } from "./fakeModule";
import { wasmEngine } from "./wasm";

let engine: EngineClient;
let log: string[];
afterEach(() => engine.dispose());

const data: Uses = { pages: "4K", kinds: ["load", "store"] };
const curve = { what: "curve", uses: data } as const;

async function start(n: number) {
  log = [];
  engine = directEngine(() => Promise.resolve(fakeModules(log)));
  await engine.start("import", {
    file: new Blob(["access\n".repeat(n)]),
    name: "a",
  });
}

test("a_question_lets_seeks_in_and_is_answered", async () => {
  await start(60);
  const order: string[] = [];
  const asked = engine.start("analyse", curve).then((answer) => {
    order.push("answer");
    return answer;
  });
  const seek = engine.call("seek", { index: 1 }).then(() => order.push("seek"));
  await seek;
  expect(await asked).toMatchObject({ accesses: 60 });
  expect(order).toEqual(["seek", "answer"]);
  expect(log.at(-1)).toBe("end analyse");
});

test("a_question_reports_progress_and_can_be_cancelled", async () => {
  await start(500);
  const abort = new AbortController();
  const reports: Progress[] = [];
  const asked = engine.start("analyse", curve, {
    signal: abort.signal,
    onProgress: (progress) => {
      reports.push(progress);
      abort.abort();
    },
  });
  await expect(asked).rejects.toMatchObject({ code: "cancelled" });
  expect(reports[0]).toMatchObject({ unit: "parts", total: 1000 });
  expect(log.at(-1)).toBe("end analyse");
});

test("a_question_without_a_kind_of_access_is_refused_with_its_field", async () => {
  await start(3);
  const uses: Uses = { pages: "4K", kinds: [] };
  await expect(
    engine.start("analyse", { what: "curve", uses }),
  ).rejects.toMatchObject({
    code: "bad-config",
    at: { field: "kinds" },
  });
});

test("the_modules_answer_alike_whichever_has_the_trace", async () => {
  engine = wasmEngine();
  const trace = new Blob([await readFile("public/traces/chase.pagewalk.gz")]);
  const [cpu] = (await engine.call("cpus", {})).filter(
    ({ id }) => id === "amd-zen2",
  );
  if (!cpu) throw new Error("There is no such CPU.");
  const { machine } = cpu;
  const ask = () =>
    Promise.all([
      engine.start("analyse", curve),
      engine.start("analyse", { what: "surface", uses: data }),
      engine.start("analyse", { what: "behind", uses: data, machine }),
      engine.start("analyse", {
        what: "split",
        uses: data,
        entries: 64,
        ways: 4,
      }),
      engine.start("analyse", {
        what: "working-set",
        uses: data,
        window: 1000,
      }),
    ]);
  await engine.call("open", { file: trace, name: "chase" });
  const [sizes, surface, behind, split, working] = await ask();
  // A fully associative array of 16 entries is one set of 16 ways.
  const of = (misses: readonly (readonly [number, number])[], n: number) =>
    misses.find(([size]) => size === n)?.[1];
  const row = surface.rows.find(({ sets, ways }) => sets === 1 && ways === 16);
  expect(row?.misses).toBe(of(sizes.misses, 16));
  expect(surface.rows).toHaveLength(12 * 16);
  expect(behind.misses.at(-1)?.[1]).toBe(sizes.cold);
  expect(split.compulsory).toBe(sizes.cold);
  expect(split.misses).toBe(split.compulsory + split.capacity + split.conflict);
  expect(split.optimum).toBeLessThanOrEqual(split.misses);
  expect(working.pages).toBe(sizes.cold);
  await engine.start("import", { file: trace, name: "chase" });
  expect(await ask()).toEqual([sizes, surface, behind, split, working]);
});

test("what_a_row_of_the_advice_saves_is_what_its_pages_save_when_they_are_applied", async () => {
  engine = wasmEngine();
  const trace = new Blob([await readFile("public/traces/chase.pagewalk.gz")]);
  const [cpu] = (await engine.call("cpus", {})).filter(
    ({ id }) => id === "amd-zen2",
  );
  if (!cpu) throw new Error("There is no such CPU.");
  await engine.start("import", { file: trace, name: "chase" });
  const whole: Setup = {
    machine: cpu.machine,
    os: { default: "4K", regions: [], frames: "shuffled" },
  };
  const part = { ...whole, window: { skip: 1000, warmup: 20_000 } };
  const nested = { ...whole, os: withVirt(whole.os, "ept") };
  for (const own of [part, nested]) {
    const advice = await engine.start("analyse", {
      what: "huge-pages",
      machine: own.machine,
      pages: "4K",
      huge: "2M",
      most: 3,
      os: withHuge(own.os, "4K", "2M", []),
      ...(own.window && { window: own.window }),
    });
    const left = async (starts: readonly string[]) => {
      const os = withHuge(own.os, "4K", "2M", starts);
      return engine.start("runWhole", { ...own, os });
    };
    const none = await left([]);
    const rows = adviceRows(advice);
    expect(rows).not.toEqual([]);
    for (const { starts } of rows) {
      const report = await left(starts);
      expect(savedBy(advice, report)).toEqual({
        walks: none.walks.walks - report.walks.walks,
        cycles:
          none.cycles.l2_miss +
          none.cycles.walk -
          report.cycles.l2_miss -
          report.cycles.walk,
      });
    }
    for (const point of advice.points) {
      const picks = advice.picks.slice(0, point.huge_pages);
      const { walks, cycles } = await left(picks.map(({ start }) => start));
      expect([walks.walks, cycles.l2_miss, cycles.walk]).toEqual([
        point.walks,
        point.l2_miss_cycles,
        point.walk_cycles,
      ]);
    }
  }
});

test("curves_are_of_the_accesses_that_a_run_counts", async () => {
  engine = wasmEngine();
  const trace = new Blob([await readFile("public/traces/chase.pagewalk.gz")]);
  await engine.start("import", { file: trace, name: "chase" });
  const window = { skip: 1000, warmup: 20_000, limit: 50_000 };
  const all = ["fetch", "load", "store"] as const;
  const uses: Uses = { pages: "4K", kinds: [...all] };
  const { misses } = await engine.start("analyse", {
    what: "curve",
    uses,
    window,
  });
  const surface = await engine.start("analyse", {
    what: "surface",
    uses,
    window,
  });
  const run = (entries: number, ways: number) =>
    engine.start("runWhole", {
      machine: withDefaults({ l1: [{ name: "TLB", entries, ways }], l2: [] }),
      os: { default: "4K", regions: [], frames: "sequential" },
      window,
    });
  for (const entries of [4, 16, 64]) {
    const { walks } = await run(entries, entries);
    const [, found] = misses.findLast(([size]) => size <= entries) ?? [];
    expect(found).toBe(walks.walks);
  }
  const { walks } = await run(64, 4);
  const cell = surface.rows.find(({ sets, ways }) => sets === 16 && ways === 4);
  expect(cell?.misses).toBe(walks.walks);
});

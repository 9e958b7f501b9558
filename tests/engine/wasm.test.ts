/** Tests of machines and replays in the real modules. */
import { DEFAULT_MACHINE } from "../../src/engine/generated/defaults";
import { openAsBlob } from "node:fs";
import { expect, test } from "vitest";
import { BUILT_IN_TRACES } from "../../src/state/import/traces";
import type { MachineConfig } from "../../src/engine/generated/MachineConfig";
import type { OsConfig } from "../../src/engine/generated/OsConfig";
import { noTranslation } from "../../src/model/replay/noTranslation";
import { eventIn } from "../../src/model/tlb/event";
import { setOf } from "../../src/model/tlb/set";
import { smallestPage, withDefaults } from "../../src/model/config/defaults";
import { entryBits } from "../pictures/entryBits";
import { eptBits } from "../pictures/eptBits";
import {
  engine,
  newEngine,
  os,
  packed,
  pages,
  start,
  tiny,
} from "./tinyEngine";

test("the_cpu_models_are_those_of_the_core_and_each_can_be_simulated", async () => {
  newEngine();
  const cpus = await engine.call("cpus", {});
  expect(cpus.map(({ id }) => id)).toContain("intel-skylake-sp");
  await engine.start("import", { file: pages(1, 2, 3), name: "p" });
  for (const { machine, id } of cpus) {
    // Not every machine has pages of 4K.
    const view = await engine.call("configure", {
      machine,
      os: { ...os, default: smallestPage(machine) },
    });
    // A small machine has a single array.
    expect(view.structures.length, id).toBeGreaterThan(0);
    expect((await engine.start("run", {})).trace.accesses, id).toBe(3);
    expect(await engine.call("checkMachine", machine), id).toEqual([]);
  }
});

test("the_example_of_a_textbook_has_its_physical_addresses", async () => {
  newEngine();
  const cpus = await engine.call("cpus", {});
  const model = cpus.find(({ id }) => id === "csapp-14bit");
  if (!model?.os) throw new Error("no model with a mapping of its own");
  const file = await packed("csapp.pagewalk.gz");
  await engine.call("open", { file, name: "csapp" });
  const view = await engine.call("configure", {
    machine: model.machine,
    os: model.os,
  });
  await engine.start("run", {});
  const seen = [];
  for (let index = 0; index < 10; index += 1) {
    const { step } = await engine.call("seek", { index });
    const { access, exception, translations } = step;
    const translation = translations[0] ?? noTranslation(step);
    const { what, set } = eventIn(translation, view, 0, access.kind, step);
    const result = exception ? exception.name : translation.physical;
    seen.push(`${result} ${what} ${set}`);
  }
  expect(seen).toEqual([
    "0x354 hit 3",
    "0x357 hit 3",
    "0x5b5 fill 1",
    "0xd1d hit 3",
    // Page 0xb: the processor looks up set 3 before the page fault.
    "#PF page-fault 3",
    "0x5fc fill 1",
    "0x469 fill 2",
    "#PF page-fault 1",
    "#PF page-fault 2",
    "0xa20 fill 0",
  ]);
});

test.each(["intel-skylake-sp", "amd-zen4", "csapp-14bit"])(
  "the_set_of_a_page_is_that_of_the_lookup_on_%s",
  async (id) => {
    newEngine();
    const cpus = await engine.call("cpus", {});
    const { machine, os: own = os } = cpus.find((cpu) => cpu.id === id) ?? {};
    if (!machine) throw new Error("no such model");
    const numbers = Array.from({ length: 40 }, (_, at) => (at * 37) % 256);
    await engine.start("import", { file: pages(...numbers), name: "pages" });
    const view = await engine.call("configure", { machine, os: own });
    await engine.start("run", {});
    let n = 0;
    for (const index of numbers.keys()) {
      const { step } = await engine.call("seek", { index });
      for (const { tlb } of step.translations)
        for (const { structure, key, set } of tlb) {
          const array = view.structures[structure];
          expect(array && setOf(array, BigInt(key))).toBe(set);
          n += 1;
        }
    }
    expect(n).toBeGreaterThan(0);
  },
);

test("every_problem_of_a_machine_is_listed_at_its_field", async () => {
  newEngine();
  const problems = async (machine: object) =>
    (await engine.call("checkMachine", machine as MachineConfig)).map(
      ({ at, message }) => `${at && "field" in at ? at.field : ""}: ${message}`,
    );
  expect(
    await problems({
      l1: [{ entries: 64, ways: 5 }],
      psc: { pde: { entries: 12, replacement: "tree-plru" } },
      memory: { data: false, caches: [], dram: 1e6 },
    }),
  ).toEqual([
    "l1[0].ways: 5 ways do not divide 64 entries into sets",
    "psc.pde.replacement: tree-plru needs a power of two of ways, not 12: choose 16 or lru",
    "memory.dram: 1000000 cycles: must be 0 to 100000",
  ]);
  expect(await problems({ l1: [{ replacement: "newest" }] })).toEqual([
    expect.stringContaining("l1[0].replacement: unknown variant `newest`"),
  ]);
});

test("a_run_counts_what_the_trace_does", async () => {
  const { report, trace } = await start(pages(0, 2, 4, 0, 1));
  expect(trace).toMatchObject({ n_accesses: 5, load: 5 });
  // Pages 0, 2 and 4 share a set of two ways: the second 0 misses.
  expect(report.kinds.load).toEqual({
    translations: 5,
    l1_hits: 0,
    l2_hits: 0,
    walks: 5,
  });
  expect(report.faults.minor).toBe(4);
});

test("a_seek_shows_the_event_and_the_contents_right_after_it", async () => {
  await start(pages(0, 2, 4, 0, 0));
  const { step, columns } = await engine.call("seek", { index: 2 });
  expect(step).toMatchObject({ index: 2, outcome: "fault", in_use: [2] });
  expect(step.translations[0]?.fills[0]?.evicted?.key).toBe("0x0");
  expect([...(columns[0]?.keys ?? [])].slice(0, 2)).toEqual([4n, 2n]);
  expect((await engine.call("seek", { index: 4 })).step.outcome).toBe("l1-hit");
});

test("a_seek_shows_any_core", async () => {
  // A recording that ships with the app: two processors, and a munmap with a shootdown on both.
  const file = await openAsBlob("public/traces/shootdown.pagewalk.gz");
  newEngine();
  const { n_accesses } = await engine.start("import", {
    file,
    name: "shootdown.pagewalk.gz",
  });
  await engine.call("configure", { machine: tiny, os, cores: "cpu" });
  await engine.start("run", {});
  const last = n_accesses - 1;
  const { step, core } = await engine.call("seek", { index: last });
  expect(core).toBeUndefined();
  const cores = step.cores ?? [];
  expect(cores.length).toBe(2);
  expect(cores.filter(({ active }) => active)).toHaveLength(1);
  const used = (keyShift: Uint8Array | undefined) =>
    [...(keyShift ?? [])].filter((shift) => shift > 0).length;
  for (const { core, in_use } of cores) {
    const seen = await engine.call("seek", { index: last, core });
    expect(seen.core).toBe(core);
    expect(used(seen.columns[0]?.keyShift)).toBe(in_use[0]);
  }
  const unknown = await engine.call("seek", { index: last, core: 4000 });
  expect(used(unknown.columns[0]?.keyShift)).toBe(0);
  // If all accesses happen on one core, it has no number.
  await engine.call("configure", { machine: tiny, os });
  expect(
    (await engine.call("seek", { index: last })).step.cores,
  ).toBeUndefined();
  await expect(
    engine.call("seek", { index: last, core: 0 }),
  ).rejects.toMatchObject({
    code: "bad-config",
  });
});

test("the_bits_of_entries_are_those_of_the_tests_of_pictures", async () => {
  for (const size of ["4K", "2M", "1G"]) {
    await start(pages(5), { os: { ...os, default: size } });
    const { step } = await engine.call("seek", { index: 0 });
    const levels = step.translations[0]?.levels ?? [];
    expect(levels.length).toBeGreaterThan(1);
    for (const { fields, value, ...level } of levels)
      expect(fields).toEqual(entryBits(value, { ...level, offsetBits: 12 }));
    engine.dispose();
  }
});

test("the_bits_of_ept_entries_are_those_of_the_tests_of_pictures", async () => {
  for (const size of ["4K", "2M", "1G"]) {
    const host = { ...os, default: size };
    await start(pages(5), { os: { ...os, virt: "ept", host } });
    const { step } = await engine.call("seek", { index: 0 });
    const rows = step.translations[0]?.nested?.rows ?? [];
    const cells = rows.flatMap(({ host }) => host);
    expect(cells.length).toBeGreaterThan(4);
    for (const { fields, value, ...cell } of cells)
      expect(fields).toEqual(eptBits(value, cell));
    engine.dispose();
  }
});

test("seeks_in_any_order_give_the_same_as_seeks_in_order", async () => {
  const numbers = Array.from({ length: 400 }, (_, i) => (i * i) % 37);
  await start(pages(...numbers));
  const inOrder = new Map<number, string>();
  const picture = async (index: number) => {
    const { step, columns } = await engine.call("seek", { index });
    return JSON.stringify([step, [...(columns[0]?.keys ?? [])].map(String)]);
  };
  for (let i = 0; i < 400; i += 7) inOrder.set(i, await picture(i));
  for (const i of [...inOrder.keys()].reverse())
    expect(await picture(i)).toBe(inOrder.get(i));
});

test("a_find_gives_the_nearest_access_that_fits_both_ways", async () => {
  await start(pages(0, 0, 2, 2, 4, 0, 0));
  expect(
    await engine.start("find", {
      index: 0,
      direction: 1,
      target: { what: "fault" },
    }),
  ).toBe(2);
  expect(
    await engine.start("find", {
      index: 6,
      direction: -1,
      target: { what: "walk" },
    }),
  ).toBe(5);
  expect(
    await engine.start("find", {
      index: 5,
      direction: 1,
      target: { what: "walk" },
    }),
  ).toBeNull();
  expect(
    await engine.start("find", {
      index: 0,
      direction: 1,
      target: { what: "page", address: "0x4010" },
    }),
  ).toBe(4);
});

test("a_timeline_sums_to_the_report", async () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => (i * i) % 61);
  const { report } = await start(pages(...numbers));
  const timeline = await engine.start("timeline", {
    from: 0,
    to: 1000,
    bins: 30,
    rows: 20,
  });
  const sum = (column: Uint32Array) => column.reduce((a, b) => a + b, 0);
  expect(timeline.view).toMatchObject({ from: 0, to: 1000 });
  expect(sum(timeline.translations)).toBe(report.trace.translations);
  expect(sum(timeline.walks) + sum(timeline.faults)).toBe(report.walks.walks);
  expect(sum(timeline.density)).toBe(1000);
  expect(timeline.density).toHaveLength(
    timeline.view.bins * timeline.view.rows,
  );
});

/** Returns the answers to all calls that a replay makes. */
async function replayed(machine: MachineConfig, virt: OsConfig["virt"]) {
  await engine.call("configure", {
    machine,
    os: { ...os, ...(virt && { virt }) },
    cores: "tid",
  });
  const report = await engine.start("run", {});
  const seeks = [];
  for (const index of [0, 1, 99_999, 100_000, 300_000])
    seeks.push(await engine.call("seek", { index }));
  const walk = await engine.start("find", {
    index: 100_000,
    direction: 1,
    target: { what: "walk" },
  });
  const fault = await engine.start("find", {
    index: 200_000,
    direction: -1,
    target: { what: "fault" },
  });
  const timeline = await engine.start("timeline", {
    from: 0,
    to: 300_000,
    bins: 300,
    rows: 200,
  });
  return { report, seeks, walk, fault, timeline };
}

test("both_modules_give_the_same_of_the_same_trace_and_machine", async () => {
  const { id, file } = BUILT_IN_TRACES[0];
  const results = [];
  for (const isWhole of [false, true]) {
    newEngine();
    // After the whole module is loaded, it opens the file.
    if (isWhole) await engine.call("prefetch", {});
    const trace = await engine.call("open", {
      file: await packed(file),
      name: id,
    });
    const cpus = await engine.call("cpus", {});
    const machine = cpus.find((cpu) => cpu.id === "intel-skylake-sp")?.machine;
    const runs = [];
    for (const virt of [undefined, "ept", "shadow"] as const)
      runs.push(await replayed(machine ?? tiny, virt));
    // From here on, the whole module answers the calls.
    const { hash } = await engine.start("save", {});
    results.push({ trace, hash, runs });
    engine.dispose();
  }
  expect(results[0]).toEqual(results[1]);
});

test("a_trace_that_is_imported_takes_over_from_the_shipped_one_with_its_machine", async () => {
  newEngine();
  const { id, file } = BUILT_IN_TRACES[0];
  await engine.call("configure", { machine: tiny, os });
  await engine.call("open", { file: await packed(file), name: id });
  const trace = await engine.start("import", {
    file: pages(1, 2, 1),
    name: "own",
  });
  const report = await engine.start("run", {});
  expect(report.trace.accesses).toBe(trace.n_accesses);
  await engine.call("configure", { machine: tiny, os });
  expect(await engine.start("run", {})).toEqual(report);
});

const rejected: readonly [fact: string, machine: object, field: string][] = [
  ["no_ways", { l1: [{ entries: 4, ways: 0 }] }, "l1[0].ways"],
  ["three_sets", { l1: [{ entries: 12, ways: 4 }] }, "l1[0]"],
  ["an_unknown_field", { colour: "red" }, ""],
  [
    "tree_plru_with_12_ways",
    { l1: [{ entries: 12, ways: 12, replacement: "tree-plru" }] },
    "l1[0].replacement",
  ],
  ["no_l1", { l1: [] }, "l1"],
];

test.each(rejected)(
  "a_machine_with_%s_is_refused_at_its_field",
  async (_, machine, field) => {
    await start(pages(1));
    const attempt = engine.call("configure", {
      machine: { ...tiny, ...machine },
      os,
    });
    const error: unknown = await attempt.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "EngineError", code: "bad-config" });
    if (field !== "")
      expect(JSON.stringify(error)).toContain(`"field":"${field}`);
    // The previous machine stays in use.
    expect((await engine.call("seek", { index: 0 })).step.index).toBe(0);
  },
);

test("after_a_trap_trace_machine_and_results_are_the_same", async () => {
  const { report } = await start(pages(0, 2, 4, 0));
  const before = await engine.call("seek", { index: 3 });
  const crash: unknown = await engine
    .call("crash", {})
    .catch((e: unknown) => e);
  expect(crash).toMatchObject({ code: "crashed" });
  expect((crash as Error).message).toContain("crashed on request");
  expect(await engine.recovery()).toMatchObject({
    outcome: "restored",
    report,
  });
  expect(await engine.call("seek", { index: 3 })).toEqual(before);
});

test("what_the_editor_fills_in_for_a_field_left_out_is_what_the_core_fills_in", async () => {
  newEngine();
  const empty = await engine.call("configure", {
    machine: {} as MachineConfig,
    os,
  });
  const filled = await engine.call("configure", {
    machine: withDefaults({}),
    os,
  });
  expect(filled).toEqual(empty);
  for (const key of Object.keys(DEFAULT_MACHINE)) {
    const machine = { ...withDefaults({}), [key]: undefined };
    expect(await engine.call("configure", { machine, os }), key).toEqual(empty);
  }
});

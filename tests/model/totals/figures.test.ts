import { expect, test } from "vitest";
import { parseAccess } from "../../../src/model/transport/accessNumber";
import { SPEEDS, speedWord } from "../../../src/model/transport/speed";
import {
  cyclesPerAccess,
  exceptionsTotal,
  ratesOf,
} from "../../../src/model/totals/figures";
import { toolName } from "../../../src/model/import/formats";
import { pagesTouched, touchedText } from "../../../src/model/import/traceText";
import { storeAtLevel2 } from "../../pictures/accesses";
import { report, trace } from "../../pictures/runData";

test("every_total_names_its_formula_and_its_numbers", () => {
  const { of, miss, walk } = ratesOf(report);
  expect(of).toBe("loads and stores");
  const totals = [miss, walk, cyclesPerAccess(report)];
  const lines = totals.map(({ label, value, unit = "", formula }) => {
    return [`${label} ${value} ${unit}`.trim(), ...formula];
  });
  expect(lines).toEqual([
    [
      "dTLB miss 8.6 %",
      "L1 misses ÷ translations, of loads and stores",
      "12,357 ÷ 143,702 = 8.6 %",
    ],
    [
      "walk 2.4 %",
      "page walks ÷ translations, of loads and stores",
      "3,494 ÷ 143,702 = 2.4 %",
      "12,357 L1 misses → 3,494 walks: level 2 hit for 8,863 (71.7 %)",
      "walks of all kinds: 3,592 ÷ 399,102 = 0.90 % of translations",
    ],
    [
      "translation cycles 0.51 per access",
      "(lookups of the second level × their latency + Σ over walks of overhead and the latency of each reference) ÷ accesses",
      "L2 TLB hits 83,385 cycles + L2 TLB misses 20,412 cycles + walks 99,836 cycles = 203,633 cycles",
      "203,633 ÷ 398,306 accesses = 0.51",
    ],
  ]);
});

test("a_level_2_hit_of_a_kind_that_starts_there_is_no_miss", () => {
  const kinds = {
    ...report.kinds,
    load: { translations: 100, l1_hits: 90, l2_hits: 8, walks: 2 },
    store: { translations: 100, l1_hits: 0, l2_hits: 97, walks: 3 },
  };
  const { machine } = storeAtLevel2;
  expect(ratesOf({ ...report, kinds }, machine).miss.formula).toEqual([
    "L1 misses ÷ translations, of loads and stores",
    "no L1 array serves stores: only walks are misses",
    "13 ÷ 200 = 6.5 %",
  ]);
});

test("only_cycles_are_a_model", () => {
  const { miss, walk } = ratesOf(report);
  expect(
    [miss, walk, cyclesPerAccess(report)].map(({ model }) => model),
  ).toEqual([false, false, true]);
});

test("a_trace_of_code_alone_has_the_rates_of_fetches", () => {
  const none = { translations: 0, l1_hits: 0, l2_hits: 0, walks: 0 };
  const kinds = { ...report.kinds, load: none, store: none };
  const { of, miss, walk } = ratesOf({ ...report, kinds });
  expect([of, miss.label, miss.value, walk.value]).toEqual([
    "fetches",
    "iTLB miss",
    "0.20 %",
    "0.04 %",
  ]);
});

test("accesses_that_an_exception_ended_are_counted_apart", () => {
  expect(exceptionsTotal(report)).toBeUndefined();
  const exceptions = {
    ...report.exceptions,
    general_protection: 1,
    address_faults: { "translation fault": 2 },
    page_faults: { "0x7": 3 },
  };
  const faults = { ...report.faults, bus_errors: 4 };
  const total = exceptionsTotal({ ...report, exceptions, faults });
  expect([total?.label, total?.value]).toEqual(["exceptions", "10"]);
});

test("a_run_without_accesses_has_no_means", () => {
  const none = { translations: 0, l1_hits: 0, l2_hits: 0, walks: 0 };
  const empty = {
    ...report,
    trace: { ...report.trace, accesses: 0, translations: 0 },
    kinds: { fetch: none, load: none, store: none, prefetch: none },
  };
  const { miss, walk } = ratesOf(empty);
  expect(
    [miss, walk, cyclesPerAccess(empty)].map(({ value }) => value),
  ).toEqual(["–", "–", "–"]);
});

test("the_pages_of_all_regions_were_touched", () => {
  expect(pagesTouched(trace)).toBe(2860);
  expect(touchedText(trace)).toBe("2,860 pages touched");
  const [region] = trace.regions;
  if (!region) throw new Error("no region");
  const regions = [{ ...region, pages: 64 }];
  const view = { regions, page_size: "64" };
  expect(touchedText(trace, view)).toBe("64 pages of 64 B touched");
});

test("a_format_without_a_tool_stands_for_itself", () => {
  expect([toolName("lackey"), toolName("odd")]).toEqual([
    "valgrind lackey",
    "odd",
  ]);
});

test.each([
  ["12,345", { ok: true, access: 12_345 }],
  [" 12 345 ", { ok: true, access: 12_345 }],
  ["0", { ok: true, access: 0 }],
  ["398305", { ok: true, access: 398_305 }],
  ["398306", { ok: false, problem: "The last access is 398,305" }],
  ["-1", { ok: false, problem: "Write a number from 0 to 398,305" }],
  ["1e3", { ok: false, problem: "Write a number from 0 to 398,305" }],
  ["", { ok: false, problem: "Write a number from 0 to 398,305" }],
])("the access number %j is understood", (text, parsed) => {
  expect(parseAccess(text, 398_306)).toEqual(parsed);
});

test("a_speed_is_a_short_word", () => {
  expect(SPEEDS.map(speedWord)).toEqual(["1", "2", "10", "10³", "10⁶"]);
});

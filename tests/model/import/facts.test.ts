import { expect, test } from "vitest";
import type { Peek } from "../../../src/engine/generated/Peek";
import type { PeekRecord } from "../../../src/engine/generated/PeekRecord";
import type { Sampling } from "../../../src/engine/generated/Sampling";
import { exportName } from "../../../src/model/import/exportText";
import {
  holdings,
  nothingToOpen,
  abilitiesOf,
  whatItIs,
} from "../../../src/model/import/facts";
import { RECORDERS } from "../../../src/model/import/recording";
import { peekOf, reportOf } from "../../views/import/peeks";

const sampling: Sampling = {
  events: [
    {
      name: "cpu/mem-loads,ldlat=30/P",
      of: "accesses",
      completeness: "latency-filtered",
      period: 2000,
      frequency: null,
      samples: 10,
      accesses: 8,
    },
  ],
  lost: 12,
  kernel: 3,
  guest: 0,
  kernel_addresses: 0,
  unknown_kind: 0,
  faults: 0,
  tlb: { l1: 0, l2: 0, no_walk: 6, walk: 2, unknown: 0 },
  page_sizes: [
    { bytes: 4096, accesses: 7 },
    { bytes: 2 << 20, accesses: 1 },
  ],
};

const lines = (peek: Peek) =>
  holdings(peek).map(({ name, value, note = "" }) =>
    `${name}: ${value} ${note}`.trim(),
  );

test("a_recording_of_every_access_in_facts", () => {
  const peek = peekOf({
    skipped: [{ reason: "lines of valgrind", count: 3 }],
  });
  expect(whatItIs({ ...peek, packed: ["xz"] })).toBe(
    "valgrind lackey, compressed with xz",
  );
  expect(lines(peek)).toEqual([
    "records: 2",
    "accesses: 2",
    "skipped: 3 lines of valgrind",
  ]);
  expect(lines({ ...peek, is_whole: false })[1]).toBe(
    "accesses: 2 in its beginning",
  );
  // A saved trace states its counts.
  const saved = { ...peek, is_whole: false, states_counts: true };
  expect(lines(saved)[1]).toBe("accesses: 2");
});

test("what_is_left_out_is_neither_an_access_nor_without_an_address", () => {
  const samples = peekOf({ sampling, records: 10, accesses: 3, left_out: 5 });
  expect(lines(samples)).toContain("with an address: 3 and 2 without");
  expect(lines(samples)).toContain("left out: 5 by your selection");
  // From the beginning of a file, the number of samples without an address is unknown.
  expect(lines({ ...samples, is_whole: false })).toContain(
    "with an address: 3 or more in its beginning",
  );
});

test("samples_in_facts", () => {
  const peek = peekOf({
    format: "perf.data",
    completeness: "latency-filtered",
    records: 10,
    accesses: 8,
    sampling,
    processes: [{ pid: 7, accesses: 10, threads: [{ tid: 7, accesses: 10 }] }],
  });
  expect(lines(peek)).toEqual([
    "event: cpu/mem-loads,ldlat=30/P one of 2,000",
    "samples: 10",
    "with an address: 8 and 2 without",
    "processes: 1 process, 1 thread",
    "by the kernel: 3",
    "lost: 12",
  ]);
});

test("page_faults_of_tracepoints_have_an_address_and_an_event_without_a_name_is_none", () => {
  const peek = peekOf({
    completeness: "first-touches",
    records: 10,
    accesses: 1,
    sampling: {
      ...sampling,
      events: sampling.events.map((event) => ({ ...event, name: "" })),
      kernel: 0,
      lost: 0,
      faults: 7,
    },
  });
  expect(lines(peek)).toEqual([
    "samples: 10",
    "with an address: 8 and 2 without",
    "page faults: 7 from tracepoints, simulated as first touches",
  ]);
});

test("a_list_without_instructions_shows_none", () => {
  const can = (fetch: number, ip?: string) => {
    const pages_4k = { fetch, data: 2 };
    const peek = peekOf({ format: "csv", pages_4k });
    const records = peek.records.map((each) => ({
      ...each,
      ...(ip !== undefined && { ip }),
    }));
    return abilitiesOf({ ...peek, records }, reportOf({ pages_4k })).can[1];
  };
  expect(can(0)).toBe("the pages and regions with misses");
  expect(can(1)).toContain("instructions");
  expect(can(0, "0x400000")).toContain("instructions");
});

test("what_cannot_be_told_follows_from_what_was_recorded", () => {
  const said = (part: Parameters<typeof reportOf>[0]) => {
    const peek = peekOf(part);
    const records = peek.records.map((each) => ({ ...each, ip: "0x400000" }));
    const { can, cannot } = abilitiesOf({ ...peek, records }, reportOf(part));
    return [...can, ...cannot.map(({ what }) => `not ${what}`)];
  };
  expect(said({ format: "csv" })).toContain("not Completeness.");
  expect(said({ format: "lackey" })).toContain(
    "not Addresses of a normal run.",
  );
  expect(said({ completeness: "latency-filtered", sampling })).toEqual([
    "which pages and instructions are slow",
    "measured walks: 25.0 % of the samples here",
    "page sizes in use: 4K for 87.5 % of the samples here",
    "not Hit rates.",
    "not Order.",
    "not Stores and fetches.",
  ]);
  expect(said({ completeness: "first-touches" })).toContain("not Hit rates.");
});

/** Ten samples of a file that measures where translations were found, without addresses. */
const bare = (part: Partial<PeekRecord> = {}): Peek => {
  const record = { size: 0, pid: 0, tid: 0, cpu: 0, ...part };
  const [event] = sampling.events;
  if (!event) throw new Error("There is one.");
  const peek = peekOf({
    format: "perf-script",
    completeness: "sampled",
    records: 10,
    accesses: 0,
    sampling: {
      ...sampling,
      events: [{ ...event, name: "" }],
      tlb: { l1: 0, l2: 0, no_walk: 0, walk: 0, unknown: 0 },
      page_sizes: [],
    },
  });
  return {
    ...peek,
    records: [
      { ...record, level: "l2" },
      { ...record, level: "walk" },
    ],
  };
};
const canOf = (peek: Peek) => peek.report && abilitiesOf(peek, peek.report).can;

test("samples_tell_of_pages_and_instructions_if_they_have_them", () => {
  const levels = "measured TLB levels (of the first 2: L2 hit 1, walk 1)";
  expect(canOf(bare())).toEqual([levels]);
  expect(canOf(bare({ ip: "0x400000" }))).toEqual([
    "which instructions are used, and how often",
    levels,
  ]);
});

test("samples_without_any_address_are_not_opened_and_what_to_record_is_said", () => {
  const instead =
    "Record with `perf mem record`, and print with `perf script -F +addr,ip`.";
  const levels =
    "They have measured TLB levels (of the first 2: L2 hit 1, walk 1), but no page.";
  expect(nothingToOpen(bare())).toBe(
    `None of its 10 samples has a data address or an instruction pointer, so there is no page to show. ${levels} ${instead}`,
  );
  expect(nothingToOpen(bare({ ip: "0x400000" }))).toMatch(
    /^None of its 10 samples has a data address, so/,
  );
  // Later ones may have one.
  expect(nothingToOpen({ ...bare(), is_whole: false })).toBeUndefined();
  expect(nothingToOpen(peekOf({ sampling }))).toBeUndefined();
  const [event] = sampling.events;
  const code = { ...sampling, events: [{ ...event, of: "execution" }] };
  expect(
    nothingToOpen(peekOf({ accesses: 0, sampling: code as Sampling })),
  ).toBeUndefined();
});

test("an_exported_file_is_named_after_its_trace", () => {
  expect(exportName("mine.lackey.xz", "csv")).toBe("mine.csv");
  expect(exportName("perf.data", "lackey")).toBe("perf.lackey");
  expect(exportName("chase 2048 4096", "din")).toBe("chase-2048-4096.din");
  expect(exportName("a.champsimtrace.gz", "champsim")).toBe("a.champsimtrace");
  expect(exportName("../ /", "csv")).toBe("trace.csv");
});

test("every_processor_has_a_command_and_says_what_it_gives", () => {
  expect(RECORDERS.map(({ id }) => id)).toEqual([
    "any",
    "intel",
    "amd",
    "arm",
    "none",
  ]);
  for (const { recordings } of RECORDERS)
    for (const { command, about } of recordings)
      expect([command.trim(), about.at(-1)]).not.toContain("");
});

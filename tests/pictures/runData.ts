/** A trace and the report of a run, with consistent numbers. */
import type { CpuModel } from "../../src/engine/generated/CpuModel";
import type { RunReport } from "../../src/engine/generated/RunReport";
import type { TraceView } from "../../src/engine/generated/TraceView";
import { N_ACCESSES, timelineData } from "./timelineData";

/** A machine with one array of four entries. */
export const tinyMachine: CpuModel["machine"] = {
  name: "Tiny",
  l1: [{ name: "L1", entries: 4, ways: 4 }],
  l2: [],
  inclusion: "nine",
  psc: {},
  latency: { l2_hit: 7, walk_overhead: 0 },
  memory: { data: false, caches: [], dram: 200 },
  walkers: 1,
  seed: 1,
};

export const trace: TraceView = {
  name: "ls -l",
  n_accesses: N_ACCESSES,
  fetch: 255_000,
  load: 96_306,
  store: 47_000,
  threads: 1,
  cpus: 1,
  retained_bytes: 612_000,
  regions: timelineData({ bins: 1, rows: 53 }).view.regions,
  import: {
    format: "lackey",
    completeness: "complete",
    records: 391_100,
    accesses: N_ACCESSES,
    operations: 0,
    skipped: [],
    pages_4k: { fetch: 212, data: 2702 },
    warnings: [],
  },
};

export const report: RunReport = {
  trace: {
    accesses: N_ACCESSES,
    translations: 399_102,
    fetch: 255_000,
    load: 96_306,
    store: 47_000,
    prefetch: 0,
    completeness: "complete",
  },
  kinds: {
    fetch: { translations: 255_400, l1_hits: 254_900, l2_hits: 402, walks: 98 },
    load: {
      translations: 96_602,
      l1_hits: 88_400,
      l2_hits: 6_100,
      walks: 2_102,
    },
    store: {
      translations: 47_100,
      l1_hits: 42_945,
      l2_hits: 2_763,
      walks: 1_392,
    },
    prefetch: { translations: 0, l1_hits: 0, l2_hits: 0, walks: 0 },
  },
  structures: [],
  walks: {
    walks: 3_592,
    refs: 4_410,
    guest_refs: 0,
    host_refs: 0,
    psc: [],
    served_by: [],
    ad_updates: 2_900,
  },
  faults: {
    minor: 2_860,
    major: 0,
    first_touch: 2_860,
    shared: 0,
    copy_on_write: 0,
    swap_in: 0,
    hidden: 0,
    bus_errors: 0,
  },
  memory: {
    map: "none",
    mapped_bytes: 11_714_560,
    used_bytes: 11_714_560,
    waste_bytes: 0,
    shared_bytes: 0,
    table_bytes: 57_344,
    pretouched_pages: 0,
  },
  regions: [],
  system: {
    promotions: 0,
    promoted_pages: 0,
    demotions: 0,
    failed_promotions: 0,
    reused_pages: 0,
    shootdowns: 0,
    dropped_entries: 0,
  },
  pages: { "4K": 2_860, "2M": 0, "1G": 0, table_pages: 14 },
  cycles: { l2_hit: 83_385, l2_miss: 20_412, walk: 99_836, total: 203_633 },
  exceptions: {
    general_protection: 0,
    page_faults: {},
    ept_misconfigurations: 0,
  },
  invalidations: {
    ops: {},
    switches: 0,
    tlb_entries: 0,
    walk_cache_entries: 0,
    host_entries: 0,
  },
};

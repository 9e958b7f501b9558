/** Small data of the engine's types: every third access is a walk. */
import type { OracleInfo } from "../../src/engine/generated/OracleInfo";
import type { Setup, Snapshot } from "../../src/engine/engine";
import type { CpuModel } from "../../src/engine/generated/CpuModel";
import type { ExperimentResult } from "../../src/engine/generated/ExperimentResult";
import type { ExperimentInfo } from "../../src/engine/generated/ExperimentInfo";
import type { MachineView } from "../../src/engine/generated/MachineView";
import type { RunReport } from "../../src/engine/generated/RunReport";
import type { StructureView } from "../../src/engine/generated/StructureView";
import type { TraceView } from "../../src/engine/generated/TraceView";

export function experiment(id: string): ExperimentInfo {
  return {
    id,
    title: `The ${id}`,
    question: "Is it so?",
    sources: [],
    machine: "",
    policy: "",
    method: "",
  };
}

export function experimentResult(id: string): ExperimentResult {
  return {
    ...experiment(id),
    answer: "Yes.",
    tables: [],
    charts: [],
    differences: [],
    corrections: [],
    parts: [],
  };
}

export function cpu(id: string, name: string): CpuModel {
  return {
    id,
    name,
    vendor: "",
    provenance: [],
    variants: [],
    machine: {
      name,
      l1: [{ name: "L1", entries: 64, ways: 4 }],
      l2: [],
      inclusion: "nine",
      psc: {},
      latency: { l2_hit: 7, walk_overhead: 0 },
      memory: { data: false, caches: [], dram: 200 },
      walkers: 1,
      seed: 1,
    },
  };
}

export function machineView({ machine, os }: Setup): MachineView {
  return {
    name: `${machine.name} ${os.default}`,
    structures: [STRUCTURE],
    virt: "native",
    tables: "x86",
    levels: 4,
    host_levels: null,
    va_bits: 48,
    walkers: 1,
    offset_bits: 12,
    page_sizes: ["4K", "2M", "1G"],
    memory: [],
  };
}

export function view(name: string, n: number): TraceView {
  return {
    name,
    n_accesses: n,
    fetch: n,
    load: 0,
    store: 0,
    threads: 3,
    cpus: 1,
    retained_bytes: n,
    regions: [],
    import: {
      format: "csv",
      completeness: "complete",
      records: n,
      accesses: n,
      operations: 0,
      skipped: [],
      pages_4k: { fetch: 1, data: 0 },
      warnings: [],
    },
  };
}

export function report(n: number): RunReport {
  const none = { translations: 0, l1_hits: 0, l2_hits: 0, walks: 0 };
  return {
    trace: {
      accesses: n,
      translations: n,
      fetch: n,
      load: 0,
      store: 0,
      prefetch: 0,
      completeness: "complete",
    },
    kinds: { fetch: none, load: none, store: none, prefetch: none },
    structures: [],
    walks: {
      walks: 0,
      refs: 0,
      guest_refs: 0,
      host_refs: 0,
      psc: [],
      served_by: [],
      ad_updates: 0,
    },
    faults: {
      minor: 0,
      major: 0,
      first_touch: 0,
      shared: 0,
      copy_on_write: 0,
      swap_in: 0,
      hidden: 0,
      bus_errors: 0,
    },
    memory: {
      map: "none",
      mapped_bytes: 0,
      shared_bytes: 0,
      table_bytes: 0,
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
    pages: {},
    cycles: { l2_hit: 0, l2_miss: 0, walk: 0, total: 0 },
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
}

export function snapshot(index: number): Snapshot {
  return {
    columns: [],
    step: {
      index,
      access: {
        kind: "load",
        address: "0x0",
        size: 1,
        pid: 0,
        tid: 0,
        cpu: 0,
        ip: null,
      },
      translations: [],
      outcome: index % 3 === 0 ? "walk" : "l1-hit",
      in_use: [],
      table_pages: 0,
      root: "0x0",
      exception: null,
      before: [],
      after: [],
    },
  };
}

const STRUCTURE: StructureView = {
  name: "L1",
  role: "l1",
  serves: ["load"],
  pages: ["4K"],
  sets: 1,
  ways: 4,
  index: "low-bits",
  replacement: "lru",
  inside: null,
};

export const oracle = (number: number): OracleInfo => ({
  number,
  claim: `statement ${number}`,
  basis: "derived",
  source: "counting",
});

/**
 * The perf stat commands by processor. Each asks for no more events than the processor can count at once
 * (besides cycles and instructions, four on Intel with Hyper-Threading on, six on Zen and Arm), so perf never
 * scales a count up. `:u` excludes the kernel, as most traces do.
 */

export interface RecordCommand {
  /** What the command shows. */
  readonly what: string;
  readonly command: string;
}

export interface RecordVendor {
  readonly id: "intel" | "intel-old" | "amd" | "arm" | "any";
  readonly name: string;
  readonly about: string;
  readonly commands: readonly RecordCommand[];
}

/** The placeholder of the program in a command. */
const PROGRAM = "./my-program";

function command(what: string, events: readonly string[]): RecordCommand {
  const list = events.map((event) => `${event}:u`).join(",");
  return { what, command: `perf stat -e ${list} ${PROGRAM}` };
}

const BASE = ["cycles", "instructions"] as const;

export const RECORD_VENDORS: readonly RecordVendor[] = [
  {
    id: "intel",
    name: "Intel, Skylake and later",
    about:
      "Walks are counted when they complete. walk_active counts cycles with at least one walk in progress; for fetches, itlb_misses has the same events.",
    commands: [
      command("Walks of loads and stores, and their cycles", [
        ...BASE,
        "dtlb_load_misses.walk_completed",
        "dtlb_store_misses.walk_completed",
        "dtlb_load_misses.walk_active",
        "dtlb_store_misses.walk_active",
      ]),
      command("Walks per load and per store", [
        ...BASE,
        "mem_inst_retired.all_loads",
        "mem_inst_retired.all_stores",
        "dtlb_load_misses.walk_completed",
        "dtlb_store_misses.walk_completed",
      ]),
      command("Level 1 misses: hits of the STLB, and walks", [
        ...BASE,
        "dtlb_load_misses.stlb_hit",
        "dtlb_load_misses.walk_completed",
        "itlb_misses.stlb_hit",
        "itlb_misses.walk_completed",
      ]),
    ],
  },
  {
    id: "intel-old",
    name: "Intel, Sandy Bridge to Broadwell",
    about:
      "On these, walk_duration counts the cycles, and mem_uops_retired the accesses.",
    commands: [
      command("Walks of loads and stores, and their cycles", [
        ...BASE,
        "dtlb_load_misses.walk_completed",
        "dtlb_store_misses.walk_completed",
        "dtlb_load_misses.walk_duration",
        "dtlb_store_misses.walk_duration",
      ]),
      command("Walks per load and per store", [
        ...BASE,
        "mem_uops_retired.all_loads",
        "mem_uops_retired.all_stores",
        "dtlb_load_misses.walk_completed",
        "dtlb_store_misses.walk_completed",
      ]),
    ],
  },
  {
    id: "amd",
    name: "AMD Zen",
    about:
      "Zen has no event for walk cycles. perf’s dTLB-loads are its level 1 misses, not its loads.",
    commands: [
      command("Level 1 misses and walks, of data and code", [
        ...BASE,
        "ls_l1_d_tlb_miss.all",
        "ls_l1_d_tlb_miss.all_l2_miss",
        "bp_l1_tlb_miss_l2_tlb_hit",
        "bp_l1_tlb_miss_l2_tlb_miss",
      ]),
      command("Level 1 misses and walks per load and store", [
        ...BASE,
        "ls_dispatch.ld_dispatch",
        "ls_dispatch.store_dispatch",
        "ls_l1_d_tlb_miss.all",
        "ls_l1_d_tlb_miss.all_l2_miss",
      ]),
    ],
  },
  {
    id: "arm",
    name: "Arm",
    about: "Event names of PMU version 3; a core may lack some.",
    commands: [
      command("Level 1 misses and walks, of data and code", [
        "cpu_cycles",
        "inst_retired",
        "l1d_tlb",
        "l1d_tlb_refill",
        "dtlb_walk",
        "itlb_walk",
      ]),
    ],
  },
  {
    id: "any",
    name: "Any",
    about:
      "Names that perf has for every processor. dTLB-load-misses differs: walks on Intel and AMD, level 1 refills on Arm.",
    commands: [
      command("Walks, on any processor", [
        ...BASE,
        "dTLB-loads",
        "dTLB-load-misses",
        "iTLB-load-misses",
        "page-faults",
      ]),
      {
        what: "Five runs, with their variation",
        command: `perf stat -r 5 -e cycles:u,instructions:u,dTLB-load-misses:u ${PROGRAM}`,
      },
      {
        what: "Every second, for a chart over time",
        command: `perf stat -I 1000 -e cycles:u,instructions:u,dTLB-load-misses:u ${PROGRAM}`,
      },
    ],
  },
];

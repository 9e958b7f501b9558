/** Commands that record a trace, by processor and by what they give. */
export interface Recording {
  readonly tool: string;
  readonly command: string;
  /** What it costs and what it cannot. */
  readonly about: string;
}

export interface Recorder {
  readonly id: "any" | "intel" | "amd" | "arm" | "none";
  readonly word: string;
  readonly recordings: readonly Recording[];
}

const AS_TEXT: Recording = {
  tool: "the samples as text",
  command:
    "perf script -F comm,pid,tid,cpu,time,period,event,addr,ip,sym,dso,data_src,weight --show-mmap-events > my.perf.txt",
  about:
    "For looking at them, or where the recording is on another machine: perf.data itself is read too.",
};

export const RECORDERS: readonly Recorder[] = [
  {
    id: "any",
    word: "Any CPU: every access",
    recordings: [
      {
        tool: "valgrind lackey",
        command:
          "valgrind --tool=lackey --trace-mem=yes --log-file=my.lackey ./my-program",
        about:
          "Every access of the program, about 100 times slower. 10⁷ accesses are 200 MB of text; xz makes 2 MB of it.",
      },
      {
        tool: "valgrind lackey, packed while it records",
        command:
          "valgrind --tool=lackey --trace-mem=yes --log-fd=9 ./my-program 9>&1 1>/dev/null | xz -T0 > my.lackey.xz",
        about:
          "The same without the large file; the program's own output is dropped.",
      },
      {
        tool: "DynamoRIO drmemtrace",
        command:
          "drrun -t drcachesim -offline -- ./my-program && drrun -t drcachesim -tool view -indir drmemtrace.*.dir 2> my.view.txt",
        about:
          "Every access of every thread, some 10 times slower. The files in the folder trace are read too, one per thread.",
      },
      {
        tool: "ChampSim, with its tracer for Intel Pin",
        command:
          "pin -t champsim_tracer.so -o my.champsimtrace -t 1000000 -- ./my-program && xz my.champsimtrace",
        about:
          "Instructions with their accesses, without sizes and threads; -t says how many.",
      },
    ],
  },
  {
    id: "intel",
    word: "Intel",
    recordings: [
      {
        tool: "perf mem, samples with the TLB's answer (PEBS)",
        command: "perf mem record -p --data-page-size ./my-program",
        about:
          "Loads above 30 cycles and stores. It tells walks, but not L1 hits from L2 hits. perf 5.12 or newer; without --data-page-size, older.",
      },
      {
        tool: "perf record, loads of any latency",
        command:
          "perf record -d -W -e cpu/mem-loads,ldlat=3/P --data-page-size ./my-program",
        about:
          "More samples of fast loads, and so a larger file. On hybrid processors the event is cpu_core/mem-loads/.",
      },
      AS_TEXT,
    ],
  },
  {
    id: "amd",
    word: "AMD",
    recordings: [
      {
        tool: "perf mem, samples with the TLB's level (IBS)",
        command: "perf mem record -p --data-page-size ./my-program",
        about:
          "L1 hit, L2 hit and walk are told apart. Linux 6.2 or newer; as root where the kernel asks for it.",
      },
      {
        tool: "perf record, IBS by itself",
        command:
          "perf record -e ibs_op//p -d -W --phys-data --data-page-size ./my-program",
        about:
          "With physical addresses, which need root or perf_event_paranoid below 2.",
      },
      AS_TEXT,
    ],
  },
  {
    id: "arm",
    word: "Arm",
    recordings: [
      {
        tool: "perf mem, samples with the TLB's answer (SPE)",
        command: "sudo perf mem record ./my-program",
        about:
          "A processor and a kernel with the Statistical Profiling Extension. The recording has to be printed:",
      },
      {
        tool: "its samples as text",
        command:
          "perf script -F comm,pid,tid,cpu,time,event,addr,ip,sym,dso,data_src --show-mmap-events > my.perf.txt",
        about:
          "perf makes samples of SPE's own packets only as it prints them.",
      },
    ],
  },
  {
    id: "none",
    word: "No counters",
    recordings: [
      {
        tool: "perf, page faults",
        command: "perf record -e page-faults -c 1 -d ./my-program",
        about:
          "The first touch of every page, with its address: in virtual machines and containers too.",
      },
      {
        tool: "the page faults as text",
        command: "perf script -F +addr --show-mmap-events > my.faults.txt",
        about:
          "Without +addr, perf prints the instruction of a fault but not its address.",
      },
    ],
  },
];

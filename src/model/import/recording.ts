/** Commands that record a trace, by processor and purpose. */
export interface Recording {
  readonly tool: string;
  readonly command: string;
  /** The cost and the limits of a command. */
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
    "For viewing, or if the recording is on another machine; perf.data itself can be imported too.",
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
          "Every access of the program, much slower. 10⁷ accesses are 200 MB of text; xz compresses them to 2 MB.",
      },
      {
        tool: "valgrind lackey, compressed while it records",
        command:
          "valgrind --tool=lackey --trace-mem=yes --log-fd=9 ./my-program 9>&1 1>/dev/null | xz -T0 > my.lackey.xz",
        about: "Without the large file; the program’s own output is discarded.",
      },
      {
        tool: "DynamoRIO drmemtrace",
        command:
          "drrun -t drcachesim -offline -- ./my-program && drrun -t drcachesim -tool view -indir drmemtrace.*.dir 2> my.view.txt",
        about:
          "Every access of every thread, much slower. The files in the folder trace can be imported too, one per thread.",
      },
      {
        tool: "ChampSim, with its tracer for Intel Pin",
        command:
          "pin -t champsim_tracer.so -o my.champsimtrace -t 1000000 -- ./my-program && xz my.champsimtrace",
        about:
          "Instructions with their accesses, without sizes and threads; -t sets how many.",
      },
    ],
  },
  {
    id: "intel",
    word: "Intel",
    recordings: [
      {
        tool: "perf mem, samples with TLB results (PEBS)",
        command: "perf mem record -p --data-page-size ./my-program",
        about:
          "Loads above 30 cycles, and stores. Shows walks, but does not distinguish L1 hits from L2 hits. Needs perf 5.12; older versions work without --data-page-size.",
      },
      {
        tool: "perf record, loads of any latency",
        command:
          "perf record -d -W -e cpu/mem-loads,ldlat=3/P --data-page-size ./my-program",
        about:
          "More samples of fast loads, so a larger file. On hybrid processors the event is cpu_core/mem-loads/.",
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
          "Distinguishes L1 hits, L2 hits and walks. Linux 6.2 or newer; as root if the kernel requires it.",
      },
      {
        tool: "perf record, IBS without perf mem",
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
        tool: "perf mem, samples with TLB results (SPE)",
        command: "sudo perf mem record ./my-program",
        about:
          "Needs a processor and a kernel with the Statistical Profiling Extension. Print the recording:",
      },
      {
        tool: "its samples as text",
        command:
          "perf script -F comm,pid,tid,cpu,time,event,addr,ip,sym,dso,data_src --show-mmap-events > my.perf.txt",
        about:
          "perf decodes SPE’s packets into samples only when it prints them.",
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
          "The first touch of every page with its address, also in virtual machines and containers.",
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

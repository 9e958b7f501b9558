import type { TraceId } from "./traces";

/** What each example trace shows. The texts are loaded with the lists that show them. */
export const TRACES_ABOUT: Readonly<Record<TraceId, string>> = {
  chase:
    "A pointer chase over 2,048 pages in random order, from its first instruction, recorded with valgrind.",
  first:
    "Four loads of mapped pages: a walk through four tables, a hit, a walk that needs one entry, and a hit.",
  matmul24:
    "A 24 × 24 matrix product from its first instruction, recorded with valgrind.",
  shootdown:
    "Made for lessons: two processors, munmap, mprotect, fork and a copy on write, which the key O visits. Before access 40, a processor switches to another process.",
  csapp:
    "Ten addresses of the small memory system of Bryant and O’Hallaron, with the page table and the TLB of figure 9.20: hits, misses and page faults.",
  ostep:
    "Ten integers from address 100 on, read twice, with pages of 16 bytes: M H H M H H H M H H, then only hits.",
  belady:
    "Twelve pages on a TLB of four entries with FIFO: 10 misses. With three entries it has 9 (Belady’s anomaly), and with LRU 8.",
  "sort-profile":
    "Where two sorts of 60,000 numbers spend their time, recorded with perf record -e cpu-clock -F 5000 --code-page-size.",
};

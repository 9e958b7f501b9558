/** Example outputs of perf stat, which also test the importer. */
import amdZen from "./perfstat/amd-zen.txt?raw";
import pageWalks from "./perfstat/intel-kbl-page-walks.txt?raw";
import intervals from "./perfstat/made-text-interval.txt?raw";
import repeats from "./perfstat/made-text-repeat.txt?raw";
import stores from "./perfstat/walk-active-stores.txt?raw";

export interface StatExample {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

/** The first one is shown until the user gives counters. */
export const STAT_EXAMPLES: readonly [StatExample, ...StatExample[]] = [
  {
    id: "intel-kbl-page-walks",
    title: "Intel, page walks of a whole system",
    about:
      "Walk cycles compared with all cycles; the events shared the counters.",
    text: pageWalks,
  },
  {
    id: "walk-active-stores",
    title: "Intel, a program that mostly stores",
    about: "Walks of loads and of stores, and the cycles of each.",
    text: stores,
  },
  {
    id: "amd-zen",
    title: "AMD Zen, perf’s own names",
    about: "On Zen, dTLB-loads are misses of level 1.",
    text: amdZen,
  },
  {
    id: "made-text-repeat",
    title: "Four runs, with ±",
    about: "perf stat -r on a virtual machine without TLB counters.",
    text: repeats,
  },
  {
    id: "made-text-interval",
    title: "Page faults over time",
    about: "perf stat -I 20.",
    text: intervals,
  },
];

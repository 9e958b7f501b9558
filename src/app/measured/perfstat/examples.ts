/** Outputs of perf stat to look at before there is one of one's own: those that the importer is tested with. */
import type { StatExample } from "../../../views/measured/Examples";
import amdZen from "./amd-zen.txt?raw";
import pageWalks from "./intel-kbl-page-walks.txt?raw";
import intervals from "./made-text-interval.txt?raw";
import repeats from "./made-text-repeat.txt?raw";
import stores from "./walk-active-stores.txt?raw";

export const STAT_EXAMPLES: readonly StatExample[] = [
  {
    id: "intel-kbl-page-walks",
    title: "Intel, page walks of a whole system",
    about: "Cycles of walks beside all cycles; the events shared the counters.",
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
    about: "There dTLB-loads are misses of level 1.",
    text: amdZen,
  },
  {
    id: "made-text-repeat",
    title: "Four runs, with ±",
    about: "perf stat -r on a virtual machine that has no counters of the TLB.",
    text: repeats,
  },
  {
    id: "made-text-interval",
    title: "Page faults over time",
    about: "perf stat -I 20.",
    text: intervals,
  },
];

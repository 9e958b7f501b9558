/** The working set over time as a picture, and single changes that affect walk cycles. */
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { WorkingSet } from "../../engine/generated/WorkingSet";
import { counted } from "../shared/format";
import { DEFAULT_ECPT, MAX_CWC } from "../../engine/generated/researchDefaults";
import { MAX_LATENCY } from "../../engine/generated/machineRules";
import { withVirt } from "../config/mapping";
import type { CssPixels } from "../shared/units";
import { isShape } from "./machine";
import { wordsOfConfig } from "../words/words";

/** The number of intervals that fit a picture. */
const INTERVALS = 200;
/** The cycles that the change "more overhead per walk" adds. */
const OVERHEAD = 10;

/** The window in accesses, rounded to 1, 2 or 5 times a power of ten. */
export function windowOf(nAccesses: number): number {
  const least = Math.max(100, nAccesses / INTERVALS);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((n) => n * power >= least) ?? 10;
  return step * power;
}

export interface WorkingSetPicture {
  readonly area: string;
  readonly most: number;
  readonly phases: readonly { readonly x: number; readonly width: number }[];
}

export function workingSetPicture(
  { accesses, most, intervals, phases }: WorkingSet,
  width: CssPixels,
  height: CssPixels,
): WorkingSetPicture {
  const x = (at: number) => (at / Math.max(1, accesses)) * width;
  const y = (pages: number) => height - (pages / Math.max(1, most)) * height;
  const steps = intervals.map(({ first, accesses: n, mean }) => {
    const level = y(mean).toFixed(1);
    return `L${x(first).toFixed(1)} ${level}L${x(first + n).toFixed(1)} ${level}`;
  });
  return {
    area: `M0 ${height}${steps.join("")}L${width} ${height}Z`,
    most,
    phases: phases.map(({ first, accesses: n }) => ({
      x: x(first),
      width: x(n),
    })),
  };
}

/** A machine with one change. */
export interface SensitivityChoice {
  readonly name: string;
  readonly setup: { readonly machine: MachineConfig; readonly os: OsConfig };
}

export function sensitivityChoices({
  machine,
  os,
}: {
  readonly machine: MachineConfig;
  readonly os: OsConfig;
}): readonly SensitivityChoice[] {
  const of = (name: string, part: Partial<MachineConfig>) => ({
    name,
    setup: { machine: { ...machine, ...part }, os },
  });
  const isNested = (os.virt ?? "native") !== "native";
  const scaled = (by: number) => ({
    memory: {
      ...machine.memory,
      dram: most(Math.round(machine.memory.dram * by)),
      caches: machine.memory.caches.map((cache) => ({
        ...cache,
        latency: most(Math.round(cache.latency * by)),
      })),
    },
  });
  return [
    of("no walk caches", withEntries(machine, 0)),
    of("twice the entries in each walk cache", withEntries(machine, 2)),
    of("memory twice as fast", scaled(0.5)),
    of("memory half as fast", scaled(2)),
    ...slowerReads(machine).map(({ name, memory }) => of(name, { memory })),
    of(`${OVERHEAD} more cycles per walk`, {
      latency: {
        ...machine.latency,
        walk_overhead: most(machine.latency.walk_overhead + OVERHEAD),
      },
    }),
    // Hashed page tables are not simulated under a host.
    ...(machine.ecpt
      ? []
      : [
          {
            name: isNested
              ? "not virtualised"
              : `in a virtual machine, under ${wordsOfConfig(machine).host}`,
            setup: { machine, os: withVirt(os, isNested ? "native" : "ept") },
          },
        ]),
  ];
}

/** Each level of memory in turn, twice as slow: the page-table reads that it serves take longer. */
function slowerReads({ memory }: MachineConfig) {
  const name = (level: string, latency: number) =>
    `${level} twice as slow, ${counted(latency, "cycle")}`;
  const caches = memory.caches.map((cache, at) => {
    const latency = most(cache.latency * 2);
    const slower = memory.caches.with(at, { ...cache, latency });
    return {
      name: name(cache.name, latency),
      memory: { ...memory, caches: slower },
    };
  });
  const dram = most(memory.dram * 2);
  return [...caches, { name: name("DRAM", dram), memory: { ...memory, dram } }];
}

/** What several walkers mean for walk cycles; `undefined` for one walker. */
export function walkersText({
  walkers: n,
}: Pick<MachineConfig, "walkers">): string | undefined {
  if (n <= 1) return undefined;
  return `Cycles of all walks are added. With ${n} walkers, elapsed time may be ${n === 2 ? "half" : `1/${n} of that`}.`;
}

/** Limits a latency to what a machine may have. */
function most(cycles: number): number {
  return Math.min(MAX_LATENCY, cycles);
}

/** Multiplies the entries of each walk cache; 0 leaves the caches out. */
function withEntries(
  { psc, ecpt }: MachineConfig,
  by: 0 | 2,
): Partial<MachineConfig> {
  if (ecpt) {
    const times = (entries: number) => Math.min(MAX_CWC, entries * by);
    const { pmd_cwc: pmd, pud_cwc: pud } = { ...DEFAULT_ECPT, ...ecpt };
    return { ecpt: { ...ecpt, pmd_cwc: times(pmd), pud_cwc: times(pud) } };
  }
  const caches = Object.entries(by === 0 ? {} : psc).map(([name, cache]) => [
    name,
    isShape(cache) ? { ...cache, entries: cache.entries * by } : cache,
  ]);
  return { psc: Object.fromEntries(caches) as MachineConfig["psc"] };
}

/**
 * Machine rules that a field can check while the user edits it. The core checks all of them again, and more,
 * so it can still reject what passes here.
 */
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import type { CacheConfig } from "../../engine/generated/CacheConfig";
import type { CacheShape } from "../../engine/generated/CacheShape";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { VirtConfig } from "../../engine/generated/VirtConfig";
import { count } from "../shared/format";
import { MOST_CYCLES, MOST_ENTRIES, brokenRule, isPowerOfTwo } from "./rules";

export interface Problem {
  /** Path of the field as the core names it: `l1[0].ways`; empty if the error has no field. */
  readonly field: string;
  readonly message: string;
}

export function checkMachine(machine: MachineConfig): Problem[] {
  const { l1, l2, psc, latency, memory } = machine;
  const { l2_hit } = latency;
  const hits =
    typeof l2_hit === "number"
      ? { l2_hit }
      : {
          "l2_hit.fetch": l2_hit.fetch,
          "l2_hit.load": l2_hit.load,
          "l2_hit.store": l2_hit.store,
        };
  return [
    ...(l1.length === 0
      ? [{ field: "l1", message: "A machine needs a first-level array." }]
      : []),
    ...l1.flatMap((array, i) => within(`l1[${i}]`, checkArray(array))),
    ...l2.flatMap((array, i) => within(`l2[${i}]`, checkArray(array))),
    ...sameNames(machine),
    ...Object.entries(psc).flatMap(([name, cache]) =>
      "in" in cache ? [] : within(`psc.${name}`, checkShape(cache)),
    ),
    ...checkVirt(machine.virt ?? {}),
    ...Object.entries({
      ...hits,
      walk_overhead: latency.walk_overhead,
    }).flatMap(([name, cycles]) =>
      within("latency", checkCycles(name, cycles)),
    ),
    ...memory.caches.flatMap((cache, i) =>
      within(`memory.caches[${i}]`, checkCache(cache)),
    ),
    ...within("memory", checkCycles("dram", memory.dram)),
  ];
}

function checkVirt({ nested_tlb, pwc, ept_psc }: VirtConfig): Problem[] {
  return [
    ...Object.entries({ nested_tlb, pwc }).flatMap(([name, cache]) =>
      cache ? within(`virt.${name}`, checkShape(cache)) : [],
    ),
    ...Object.entries(ept_psc ?? {}).flatMap(([name, cache]) =>
      "in" in cache ? [] : within(`virt.ept_psc.${name}`, checkShape(cache)),
    ),
  ];
}

function checkArray(array: ArrayConfig): Problem[] {
  const empty = (list: readonly string[] | undefined) => list?.length === 0;
  return [
    ...checkShape(array),
    ...(empty(array.serves)
      ? [
          {
            field: "serves",
            message: "It must serve fetches, loads or stores.",
          },
        ]
      : []),
    ...(empty(array.pages)
      ? [{ field: "pages", message: "It must hold a page size." }]
      : []),
  ];
}

/** The first error in entries, ways and policy; the other errors often follow from it. */
function checkShape({
  entries,
  ways = entries,
  replacement,
}: CacheShape): Problem[] {
  const problem = (field: string, message: string) => [{ field, message }];
  if (!isWithin(entries, 1, MOST_ENTRIES))
    return problem(
      "entries",
      `${count(entries)} entries is out of range: use 1 to ${count(MOST_ENTRIES)}.`,
    );
  if (!isWithin(ways, 1, entries))
    return problem(
      "ways",
      `${count(ways)} ways is out of range: use 1 to ${count(entries)}.`,
    );
  if (entries % ways !== 0)
    return problem(
      "ways",
      `${count(entries)} entries do not fill whole sets of ${count(ways)} ways.`,
    );
  if (!isPowerOfTwo(entries / ways))
    return problem(
      "ways",
      `${count(entries)} entries in ${count(ways)} ways make ${count(entries / ways)} sets: the number of sets must be a power of two.`,
    );
  const rule = brokenRule(replacement, ways);
  if (replacement && rule)
    return problem(
      "replacement",
      `${replacement} needs ${rule.text}, not ${count(ways)}.`,
    );
  return [];
}

function checkCache(cache: CacheConfig): Problem[] {
  const size = /^\d+[KMG]?$/.test(cache.size)
    ? []
    : [
        {
          field: "size",
          message: `Write a size such as 32K, not “${cache.size}”.`,
        },
      ];
  return [...size, ...checkCycles("latency", cache.latency)];
}

function checkCycles(field: string, cycles: number): Problem[] {
  if (isWithin(cycles, 0, MOST_CYCLES)) return [];
  return [
    {
      field,
      message: `${count(cycles)} cycles is out of range: use 0 to ${count(MOST_CYCLES)}.`,
    },
  ];
}

function sameNames({ l1, l2 }: MachineConfig): Problem[] {
  const arrays = [
    ...l1.map(({ name }, i) => ({ name, field: `l1[${i}].name` })),
    ...l2.map(({ name }, i) => ({ name, field: `l2[${i}].name` })),
  ];
  return arrays.flatMap(({ name, field }, at) =>
    name && arrays.slice(0, at).some((other) => other.name === name)
      ? [{ field, message: `Another array is also called “${name}”.` }]
      : [],
  );
}

function within(path: string, problems: Problem[]): Problem[] {
  return problems.map(({ field, message }) => ({
    field: `${path}.${field}`,
    message,
  }));
}

function isWithin(n: number, least: number, most: number): boolean {
  return Number.isInteger(n) && n >= least && n <= most;
}

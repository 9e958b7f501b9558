/** The structures of a machine that can be changed, and their adjustable numbers. */
import { WALK_CACHES } from "../../engine/generated/words";
import { wordsOfConfig } from "../words/words";
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import type { CacheShape } from "../../engine/generated/CacheShape";
import type { Kind } from "../../engine/generated/Kind";
import type { L2Hit } from "../../engine/generated/L2Hit";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { Policy } from "../../engine/generated/Policy";
import { MAX_ENTRIES } from "../../engine/generated/machineRules";
import { fits, neededWays } from "../config/policies";
import { count, counted } from "../shared/format";

/** A TLB array of a machine. */
export interface ArrayPlace {
  /** Its path in the configuration: `l2[0]`. */
  readonly id: string;
  readonly level: "l1" | "l2";
  readonly at: number;
  readonly name: string;
  readonly array: ArrayConfig;
}

/** Entries = sets × ways. */
export interface ArrayShape {
  readonly entries: number;
  readonly sets: number;
  readonly ways: number;
}

/** A number with a few possible values. */
export interface Knob {
  readonly id: string;
  readonly label: string;
  readonly unit?: string;
  /** The possible values, rising. */
  readonly values: readonly number[];
  readonly value: number;
  /** The value of the configured machine. */
  readonly own: number;
  readonly put: (value: number) => MachineConfig;
}

export function arraysOf(machine: MachineConfig): readonly ArrayPlace[] {
  const place = (level: "l1" | "l2") => (array: ArrayConfig, at: number) => ({
    id: `${level}[${at}]`,
    level,
    at,
    name: array.name ?? (level === "l1" ? "L1 TLB" : "L2 TLB"),
    array,
  });
  return [...machine.l1.map(place("l1")), ...machine.l2.map(place("l2"))];
}

export function shapeOf({ entries, ways = entries }: ArrayConfig): ArrayShape {
  return { entries, sets: Math.max(1, Math.floor(entries / ways)), ways };
}

/** A shape in words: `128 × 12`, `64, fully associative`. */
export function shapeText(array: ArrayConfig): string {
  const { sets, ways } = shapeOf(array);
  return sets === 1
    ? `${count(ways)}, fully associative`
    : `${count(sets)} × ${ways}-way`;
}

/** Returns whether an array serves all of these accesses, in pages of this size. */
export function serves(
  { serves, pages }: ArrayConfig,
  kinds: readonly Kind[],
  size: PageSize,
): boolean {
  return (
    kinds.every((kind) => serves?.includes(kind) ?? true) &&
    (pages?.includes(size) ?? true)
  );
}

/** The default array: the one of the last level that holds the page. */
export function usualArray(
  machine: MachineConfig,
  kinds: readonly Kind[],
  size: PageSize,
): ArrayPlace | undefined {
  const all = arraysOf(machine);
  return all.findLast(({ array }) => serves(array, kinds, size)) ?? all.at(-1);
}

export function withArray(
  machine: MachineConfig,
  { level, at }: ArrayPlace,
  part: Partial<ArrayConfig>,
): MachineConfig {
  const arrays = machine[level].map((array, each) =>
    each === at ? { ...array, ...part } : array,
  );
  return { ...machine, [level]: arrays };
}

/** The policy that replaces one which does not fit the ways. */
const SUBSTITUTE: Policy = "lru";

/** The policy of `own` that `now` had to replace, since it does not fit its ways. */
function replaced(now: ArrayConfig, own: ArrayConfig): Policy | undefined {
  const { replacement } = own;
  return !fits(replacement, shapeOf(now).ways) && now.replacement === SUBSTITUTE
    ? replacement
    : undefined;
}

/**
 * The array with other sets and ways. Its policy becomes LRU if it does not fit the ways, and its own again
 * if it does.
 */
export function withShape(
  machine: MachineConfig,
  place: ArrayPlace,
  sets: number,
  ways: number,
  own?: MachineConfig,
): MachineConfig {
  const now = machine[place.level][place.at];
  const before = own?.[place.level][place.at];
  const policy = (now && before && replaced(now, before)) ?? now?.replacement;
  const next = fits(policy, ways) ? policy : SUBSTITUTE;
  return withArray(machine, place, {
    entries: sets * ways,
    ways,
    ...indexFor(sets, now, before),
    ...(next !== undefined && { replacement: next }),
  });
}

/** Masks fit one number of sets: others use low bits, and the array's own number its own masks again. */
function indexFor(
  sets: number,
  now: ArrayConfig | undefined,
  before: ArrayConfig | undefined,
): Pick<ArrayConfig, "index"> {
  const masks = [now, before]
    .map((array) => array?.index)
    .find((index) => typeof index === "object");
  if (masks === undefined) return {};
  const fits = 2 ** masks["xor-masks"].length === sets;
  const isFree = typeof now?.index === "object" || now?.index === "low-bits";
  return isFree ? { index: fits ? masks : "low-bits" } : {};
}

/** The array that a cell of the map counts: these sets and ways, LRU, set = page number mod sets. */
export function withCell(
  machine: MachineConfig,
  place: ArrayPlace,
  sets: number,
  ways: number,
): MachineConfig {
  const { index, replacement } = machine[place.level][place.at] ?? {};
  return withArray(machine, place, {
    entries: sets * ways,
    ways,
    // A missing field has its default.
    ...(index !== undefined && { index: "low-bits" }),
    ...(replacement !== undefined && { replacement: "lru" }),
  });
}

/**
 * The ways of an array with this many entries: its own if they make whole sets, otherwise all; `undefined`
 * for more entries than a machine may have.
 */
export function waysOf(entries: number, own: ArrayShape): number | undefined {
  if (entries > MAX_ENTRIES) return undefined;
  return Number.isInteger(Math.log2(entries / own.ways)) && own.sets > 1
    ? own.ways
    : entries;
}

/** The array with the entries of a curve's point. */
export function withEntries(
  machine: MachineConfig,
  place: ArrayPlace,
  entries: number,
  own: MachineConfig,
): MachineConfig | undefined {
  const ways = waysOf(entries, shapeOf(place.array));
  if (ways === undefined) return undefined;
  const next = withShape(machine, place, entries / ways, ways, own);
  const index = next[place.level][place.at]?.index;
  // A fully associative array has only one set.
  return entries === ways && index !== undefined
    ? withArray(next, place, { index: "low-bits", replacement: "lru" })
    : next;
}

/**
 * The replacement of an array's own policy and the reason; `undefined` if it has its own, or another that the
 * user chose.
 */
export function substituteText(
  now: ArrayConfig,
  own: ArrayConfig,
): string | undefined {
  const policy = replaced(now, own);
  if (policy === undefined) return undefined;
  const { ways } = shapeOf(now);
  return `${policy} needs ${neededWays(policy, ways)}: with ${counted(ways, "way")}, LRU is simulated instead.`;
}

const WAYS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32];
const FULL = [4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048];
const SETS = Array.from({ length: 13 }, (_, k) => 2 ** k);

function among(values: readonly number[], ...own: number[]): number[] {
  return [...new Set([...values, ...own])].sort((a, b) => a - b);
}

/** Sets and ways of one array. `own` is the configured machine. */
export function arrayKnobs(
  machine: MachineConfig,
  own: MachineConfig,
  { level, at, name }: ArrayPlace,
): readonly Knob[] {
  const now = arraysOf(machine).find((p) => p.level === level && p.at === at);
  const before = arraysOf(own).find((p) => p.level === level && p.at === at);
  if (!now || !before) return [];
  const shape = shapeOf(now.array);
  const usual = shapeOf(before.array);
  const full = shape.sets === 1 && usual.sets === 1;
  const ways: Knob = {
    id: `${now.id}.ways`,
    label: full ? `${name}, entries` : `${name}, ways`,
    values: among(full ? FULL : WAYS, usual.ways, shape.ways).filter(
      (ways) => ways * shape.sets <= MAX_ENTRIES,
    ),
    value: shape.ways,
    own: usual.ways,
    put: (ways) => withShape(machine, now, shape.sets, ways, own),
  };
  if (full) return [ways];
  const sets: Knob = {
    id: `${now.id}.sets`,
    label: `${name}, sets`,
    values: among(SETS, usual.sets, shape.sets).filter(
      (sets) => sets * shape.ways <= MAX_ENTRIES,
    ),
    value: shape.sets,
    own: usual.sets,
    put: (sets) => withShape(machine, now, sets, shape.ways, own),
  };
  return [ways, sets];
}

/** Entries of the walk caches that are not part of an L2 array. */
export function walkCacheKnobs(
  machine: MachineConfig,
  own: MachineConfig,
): readonly Knob[] {
  const words = wordsOfConfig(machine);
  return WALK_CACHES.flatMap((name) => {
    const now = machine.psc[name];
    const before = own.psc[name];
    if (!isShape(now) || !isShape(before)) return [];
    const knob: Knob = {
      id: `psc.${name}`,
      label: `${words.walkCache(name)}, entries`,
      values: among(
        [1, 2, 4, 8, 16, 32, 64, 128, 256].map((n) => n * (before.ways ?? 1)),
        before.entries,
        now.entries,
      ),
      value: now.entries,
      own: before.entries,
      put: (entries) => ({
        ...machine,
        psc: { ...machine.psc, [name]: { ...now, entries } },
      }),
    };
    return [knob];
  });
}

export function isShape(cache: unknown): cache is CacheShape {
  return typeof cache === "object" && cache !== null && "entries" in cache;
}

const CYCLES = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 25, 30, 40, 50,
];
const DRAM = [50, 75, 100, 150, 200, 250, 300, 400, 600, 800, 1000];

/** The latencies of the cycle model. */
export function latencyKnobs(
  machine: MachineConfig,
  own: MachineConfig,
): readonly Knob[] {
  const { l2_hit: hitNow, walk_overhead: overhead } = machine.latency;
  const { l2_hit: hitBefore, walk_overhead: ownOverhead } = own.latency;
  const [now, before] = [ofData(hitNow), ofData(hitBefore)];
  const latency = (part: Partial<MachineConfig["latency"]>) => ({
    ...machine,
    latency: { ...machine.latency, ...part },
  });
  const hit: readonly Knob[] =
    own.l2.length > 0
      ? [
          {
            id: "latency.l2_hit",
            label:
              typeof hitNow === "number"
                ? "L2 TLB hit latency"
                : "L2 TLB hit latency, data",
            unit: "cy",
            values: among(CYCLES, now, before),
            value: now,
            own: before,
            put: (cycles) => latency({ l2_hit: withData(hitNow, cycles) }),
          },
        ]
      : [];
  return [
    ...hit,
    {
      id: "latency.walk_overhead",
      label: "Overhead of a walk",
      unit: "cy",
      values: among(CYCLES, overhead, ownOverhead),
      value: overhead,
      own: ownOverhead,
      put: (walk_overhead) => latency({ walk_overhead }),
    },
    {
      id: "memory.dram",
      label: "DRAM latency",
      unit: "cy",
      values: among(DRAM, machine.memory.dram, own.memory.dram),
      value: machine.memory.dram,
      own: own.memory.dram,
      put: (dram) => ({ ...machine, memory: { ...machine.memory, dram } }),
    },
  ];
}

/** Cycles of a load's level-2 hit. */
function ofData(hit: L2Hit): number {
  return typeof hit === "number" ? hit : hit.load;
}

function withData(hit: L2Hit, cycles: number): L2Hit {
  return typeof hit === "number"
    ? cycles
    : { ...hit, load: cycles, store: cycles };
}

/** Policies whose misses never rise with more ways: one pass gives their miss curve. */
export function isStack(policy: Policy): boolean {
  return policy === "lru";
}

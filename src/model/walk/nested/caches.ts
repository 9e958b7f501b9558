/** The structures that can shorten a nested walk, and what each did for this one. */
import { LEVEL_CACHES } from "../../../engine/generated/words";
import type { EptKind } from "./skip";
import type { LookupView } from "../../../engine/generated/LookupView";
import type { MachineView } from "../../../engine/generated/MachineView";
import type { NestedView } from "../../../engine/generated/NestedView";
import type { StructureRole } from "../../../engine/generated/StructureRole";
import type { TranslationView } from "../../../engine/generated/TranslationView";
import { capital, counted } from "../../shared/format";
import { hex } from "../../shared/hex";
import { eptKind } from "./skip";
import type { SkipKind } from "./skip";
import type { Grid } from "./grid";
import type { ArrayColumns } from "../../tlb/array";
import { usedSlots } from "../../tlb/array";
import { prefixLabel } from "../../tlb/prefix";
import { structureName } from "../../tlb/names";

/** An entry that hit, or another one of the structure. */
export interface Pill {
  readonly key: string;
  /** What it leads to; unknown for entries that were not used. */
  readonly target: string | null;
  readonly hit: boolean;
}

export interface SkipSource {
  readonly kind: SkipKind;
  readonly name: string;
  /** Numbers of the machine's structures; combined caches are described together. */
  readonly structures: readonly number[];
  /** The structure whose picture has its entries: an array of level 2 may hold those of a nested TLB. */
  readonly shown: number | undefined;
  readonly used: number;
  readonly total: number;
  /** The number of references that it skipped. */
  readonly skipped: number;
  /** What the structure did: `skipped 8`, `looked up 3 times, no hit`, `not looked up`. */
  readonly what: string;
  readonly pills: readonly Pill[];
  /** The number of entries that are not listed. */
  readonly more: number;
}

/** The number of entries listed per structure. */
const MOST_PILLS = 3;

const ROLES: readonly StructureRole[] = ["psc", "nested-tlb", "ept-psc", "pwc"];

export interface NestedScene {
  readonly machine: MachineView;
  readonly translation: TranslationView;
  readonly nested: NestedView;
  readonly grid: Grid;
  /** The contents by structure number. */
  readonly columns: readonly ArrayColumns[];
}

export function skipSources(scene: NestedScene): SkipSource[] {
  const { structures } = scene.machine;
  const numbers = [...structures.keys()];
  const ofRole = (role: StructureRole) =>
    numbers.filter((at) => structures[at]?.role === role);
  return ROLES.flatMap((role) =>
    role === "psc"
      ? ofRole(role).length > 0
        ? [sourceOf(scene, "combined", "Combined walk caches", ofRole(role))]
        : []
      : ofRole(role).map((at) =>
          sourceOf(
            scene,
            kindOf(scene, at),
            capital(structureName(scene.machine, at)),
            [at],
          ),
        ),
  );
}

function kindOf({ machine, grid }: NestedScene, structure: number): SkipKind {
  const view = machine.structures[structure];
  if (view?.role === "nested-tlb") return "nested-tlb";
  if (view?.role === "pwc") return "pwc";
  const asked = grid.rows
    .flatMap((row) => row.view?.lookups ?? [])
    .find((lookup) => lookup.structure === structure);
  return asked ? eptKind(asked.key_shift) : kindByName(view?.name ?? "");
}

/** A cache without a lookup shows its level only by its name. */
function kindByName(name: string): EptKind {
  const known = LEVEL_CACHES.find((cache) =>
    name.toLowerCase().includes(cache),
  );
  return `ept-${known ?? LEVEL_CACHES[0]}`;
}

function sourceOf(
  scene: NestedScene,
  kind: SkipKind,
  name: string,
  structures: readonly number[],
): SkipSource {
  const { machine, grid, columns } = scene;
  const asked = lookupsOf(scene).filter(({ structure }) =>
    structures.includes(structure),
  );
  const skipped = grid.cells.filter(({ skip }) =>
    kind === "combined"
      ? skip?.kind === "combined"
      : skip?.structure !== null &&
        skip?.structure !== undefined &&
        structures.includes(skip.structure),
  ).length;
  const [first] = structures;
  const { role, inside } = machine.structures[first ?? -1] ?? {};
  // A cache inside a TLB array has no entries of its own.
  const own = structures.filter(
    (at) => machine.structures[at]?.inside === null,
  );
  const used = own.reduce((sum, at) => {
    const content = columns[at];
    return sum + (content ? usedSlots(content) : 0);
  }, 0);
  const total = own.reduce((sum, at) => {
    const view = machine.structures[at];
    return sum + (view ? view.sets * view.ways : 0);
  }, 0);
  const pills = asked.length > 0 ? pillsOf(scene, own, asked) : [];
  return {
    kind,
    name,
    structures,
    shown: role === "nested-tlb" ? (inside ?? first) : first,
    used,
    total,
    skipped,
    what: whatItDid(asked, skipped),
    pills,
    more: pills.length > 0 ? used - pills.length : 0,
  };
}

function lookupsOf({ translation, grid }: NestedScene): LookupView[] {
  return [
    ...translation.psc,
    ...grid.rows.flatMap((row) => row.view?.lookups ?? []),
    ...grid.cells.flatMap(({ view }) => view.lookup ?? []),
  ];
}

function whatItDid(asked: readonly LookupView[], skipped: number): string {
  if (skipped > 0) return `skipped ${skipped}`;
  if (asked.length === 0) return "not looked up";
  return asked.length === 1
    ? "looked up, no hit"
    : `looked up ${counted(asked.length, "time")}, no hit`;
}

/** The entries that hit, then the most recently used ones; all keys of a structure look alike. */
function pillsOf(
  scene: NestedScene,
  structures: readonly number[],
  asked: readonly LookupView[],
): Pill[] {
  const { translation, columns } = scene;
  const label = (structure: number, key: bigint, shift: number) =>
    scene.machine.structures[structure]?.role === "psc"
      ? prefixLabel(key, shift, translation.levels, Infinity)
      : hex(key);
  const seen = new Set<string>();
  const hits = asked
    .filter(({ hit }) => hit)
    .map((lookup): Pill => {
      const key = label(lookup.structure, BigInt(lookup.key), lookup.key_shift);
      seen.add(key);
      return { key, target: targetOf(scene, lookup), hit: true };
    })
    .filter(
      (pill, at, all) => all.findIndex(({ key }) => key === pill.key) === at,
    );
  const others = structures
    .flatMap((structure) => {
      const content = columns[structure];
      if (!content) return [];
      return [...content.keys.keys()]
        .filter((slot) => content.keyShift[slot] !== 0)
        .map((slot) => ({
          key: label(
            structure,
            content.keys[slot] ?? 0n,
            content.keyShift[slot] ?? 0,
          ),
          usedAt: content.usedAt[slot] ?? 0,
        }));
    })
    .filter(({ key }) => !seen.has(key))
    .sort((a, b) => b.usedAt - a.usedAt)
    .map(({ key }): Pill => ({ key, target: null, hit: false }));
  return [...hits, ...others].slice(0, Math.max(hits.length, MOST_PILLS));
}

/** What a lookup found: a host page, or a lower host table. */
function targetOf({ grid }: NestedScene, lookup: LookupView): string | null {
  const row = grid.rows.find(({ view }) => view?.lookups.includes(lookup));
  if (row?.view) {
    if (lookup.key_shift < 21 || !row.host.some((cell) => cell?.skip))
      return pageOf(row.view.host_physical, lookup.key_shift);
    const first = row.host.find((cell) => cell && !cell.skip);
    return first
      ? tableOf(first.view.address)
      : pageOf(row.view.host_physical, lookup.key_shift);
  }
  // A combined entry leads to the guest's table in the host.
  const guest = grid.cells.find(
    ({ skip, view }) => !skip && view.dimension === "guest",
  );
  return guest ? tableOf(guest.view.address) : null;
}

const pageOf = (address: string, shift: number) =>
  hex((BigInt(address) >> BigInt(shift)) << BigInt(shift));

/** The 4K table that contains an entry. */
const tableOf = (address: string) => pageOf(address, 12);

/** The names of a machine's structures: in full, as a level, and as a row of tabs. */
import type { LevelView } from "../../engine/generated/LevelView";
import type { LookupView } from "../../engine/generated/LookupView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StructureRole } from "../../engine/generated/StructureRole";
import type { StructureView } from "../../engine/generated/StructureView";
import { SECOND_LEVEL } from "../shared/outcome";
import { wordsOf } from "../words/words";

/** `pde` and `PDE cache` both become `PDE cache`; a TLB array keeps its name. */
function nameOf({ name, role }: StructureView, machine: MachineView): string {
  switch (role) {
    case "l1":
    case "l2":
    case "prefetch-buffer":
      return name;
    case "psc":
      return wordsOf(machine).walkCache(name);
    case "ept-psc":
      return hostCacheName(name, machine);
    case "nested-tlb":
      return wordsOf(machine).nestedTlb;
    case "pwc":
      return "page walk cache";
  }
}

/** A walk cache of the host's tables: `EPT PDE cache`, `stage 2 L2 walk cache`. */
export function hostCacheName(
  name: string,
  machine: Pick<MachineView, "tables">,
): string {
  const words = wordsOf(machine);
  return `${words.host} ${words.walkCache(name.replace(/^ept[ _-]/i, ""))}`;
}

export function structureName(machine: MachineView, structure: number): string {
  const view = machine.structures[structure];
  return view ? nameOf(view, machine) : `structure ${structure}`;
}

/** A structure with its name in the machine's words; the same object if the name is already right. */
export function inWords(
  view: StructureView,
  machine: MachineView,
  structure: number,
): StructureView {
  const name = structureName(machine, structure);
  return name === view.name ? view : { ...view, name };
}

/**
 * The walk cache of a lookup, named by the entry that was looked up: a cache shared by two levels, or stored
 * inside a TLB array, is looked up for one kind of entry at a time.
 */
export function pscName(
  machine: MachineView,
  lookup: LookupView,
  levels: readonly LevelView[],
): string {
  const level = levels.find(({ shift }) => shift === lookup.key_shift);
  const view = machine.structures[lookup.structure];
  const host =
    view?.role === "psc"
      ? view.inside === null
        ? null
        : machine.structures[view.inside]
      : view;
  const words = wordsOf(machine);
  if (host) {
    const entry = level ? words.entry(level.table_name) : "table entry";
    return `${entry} in ${host.name}`;
  }
  return level
    ? words.cacheOf(level.table_name)
    : structureName(machine, lookup.structure);
}

const wordsIn = (name: string) => name.split(/\s+/);

/** The words that all names begin with. */
function commonStart(names: readonly string[]): string {
  const [first = [], ...rest] = names.map(wordsIn);
  const end = first.findIndex((word, at) =>
    rest.some((other) => other[at] !== word),
  );
  return first.slice(0, end < 0 ? first.length : end).join(" ");
}

/**
 * The common name of arrays that are looked up together: `L1 dTLB` for `L1 dTLB 4K` and its siblings. `asked`
 * are those that may hold the page.
 */
export function levelName(
  machine: MachineView,
  asked: readonly number[],
  role: StructureRole,
): string {
  const serves = asked.flatMap((at) => machine.structures[at]?.serves ?? []);
  const names = machine.structures
    .filter(
      (view) =>
        view.role === role && view.serves.some((kind) => serves.includes(kind)),
    )
    .map((view) => nameOf(view, machine));
  const common = commonStart(names);
  if (common !== "") return common;
  return role === "l2" ? SECOND_LEVEL : "L1 TLB";
}

/** The name of the second level: `STLB` on Intel's machines; the data caches have an L2, too. */
export function secondLevelName({ structures }: MachineView): string {
  const names = structures
    .filter(({ role }) => role === "l2")
    .map(({ name }) => name);
  const common = commonStart(names);
  return common === "" || common === "L2" || common.startsWith("L2 ")
    ? SECOND_LEVEL
    : common;
}

/** Page sizes: `2M`, `4K/1G`. */
const SIZE = /^\d+[KMGT]?(\/\d+[KMGT]?)*$/;

/**
 * The names as a row of tabs: a name that differs from the previous one only in its page size becomes that
 * size.
 */
export function tabNames(
  machine: MachineView,
  structures: readonly number[],
): string[] {
  const names = structures.map((at) => structureName(machine, at));
  return names.map((name, at) => {
    const before = wordsIn(names[at - 1] ?? "");
    const own = wordsIn(name);
    const same = own.findIndex((word, index) => before[index] !== word);
    const last = own.at(-1) ?? name;
    const sibling = same > 0 && same === own.length - 1 && SIZE.test(last);
    return sibling ? last : name;
  });
}

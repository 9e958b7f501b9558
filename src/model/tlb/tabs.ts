/** The tabs of the TLB panel: one per array of the machine, and one for all walk caches. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { StructureRole } from "../../engine/generated/StructureRole";
import type { StructureView } from "../../engine/generated/StructureView";
import { counted } from "../shared/format";
import { tabNames } from "./names";
import { wordsOf } from "../words/words";

export interface TlbTab {
  readonly label: string;
  /** One array, or all walk caches. */
  readonly structures: readonly number[];
  /** The shape of one array: `16 sets × 4 ways`. */
  readonly shape: string | null;
  readonly used: number;
  readonly total: number;
}

/** A shape in words: `16 sets × 4 ways`, `64 ways, fully associative`. */
export function shapeOf({
  sets,
  ways,
}: Pick<StructureView, "sets" | "ways">): string {
  return sets === 1
    ? `${counted(ways, "way")}, fully associative`
    : `${counted(sets, "set")} × ${counted(ways, "way")}`;
}

export function tlbTabs(
  machine: MachineView,
  inUse: readonly number[],
): TlbTab[] {
  const numbers = machine.structures.map((_, at) => at);
  const ofRole = (role: StructureRole) =>
    numbers.filter((at) => machine.structures[at]?.role === role);
  const isWalkCache = (at: number) => isWalkCacheRole(machine, at);
  // A nested TLB inside a TLB array is shown as a part of it.
  const arrays = numbers.filter(
    (at) => !isWalkCache(at) && machine.structures[at]?.inside === null,
  );
  const names = tabNames(machine, arrays);
  const tab = (label: string, structures: readonly number[]): TlbTab => {
    // A walk cache inside a TLB array has no entries of its own.
    const own = structures.filter(
      (at) => machine.structures[at]?.inside === null,
    );
    const sum = (of: (at: number) => number) =>
      own.reduce((total, at) => total + of(at), 0);
    const [only] = structures;
    const view =
      only === undefined || isWalkCache(only)
        ? undefined
        : machine.structures[only];
    return {
      label,
      structures,
      shape: view ? shapeOf(view) : null,
      used: sum((at) => inUse[at] ?? 0),
      total: sum((at) => {
        const view = machine.structures[at];
        return view ? view.sets * view.ways : 0;
      }),
    };
  };
  const tabs = arrays.map((at, index) => tab(names[index] ?? "", [at]));
  const walkCaches = (["psc", "ept-psc"] as const)
    .map((role) => tab(roleTab(role, machine), ofRole(role)))
    .filter(({ structures }) => structures.length > 0);
  return [...tabs, ...walkCaches];
}

/** The host's walk caches: `EPT caches`, `stage 2 caches`. */
function roleTab(role: "psc" | "ept-psc", machine: MachineView): string {
  return role === "psc" ? "walk caches" : `${wordsOf(machine).host} caches`;
}

/** The walk caches of the guest or the host, shown together, with their keys as indices. */
export function isWalkCacheRole(
  { structures }: MachineView,
  structure: number,
): boolean {
  const role = structures[structure]?.role;
  return role === "psc" || role === "ept-psc";
}

/** The tab with a structure; the first tab if none has it. */
export function tabOf(tabs: readonly TlbTab[], structure: number): number {
  return Math.max(
    0,
    tabs.findIndex((tab) => tab.structures.includes(structure)),
  );
}

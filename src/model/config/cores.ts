/** The number of cores that simulate a trace, in words. */
import type { AccessView } from "../../engine/generated/AccessView";
import type { Cores } from "../../engine/generated/Cores";
import type { EffectsView } from "../../engine/generated/EffectsView";
import type { StepView } from "../../engine/generated/StepView";
import type { TraceView } from "../../engine/generated/TraceView";
import type { VmView } from "../../engine/generated/VmView";
import type { MachineView } from "../../engine/generated/MachineView";
import { counted } from "../shared/format";
import { wordsOf } from "../words/words";

/** What has a core, in words. */
export const CORE_OF = {
  tid: "thread",
  cpu: "processor",
} as const satisfies Record<Exclude<Cores, "one">, string>;

export function coresWord(cores: Cores): string {
  return cores === "one" ? "one" : `by ${CORE_OF[cores]}`;
}

/** Returns whether there is a choice: several threads or processors, or an earlier choice. */
export function hasCores(
  { threads, cpus }: Pick<TraceView, "threads" | "cpus">,
  chosen: Cores,
): boolean {
  return threads > 1 || cpus > 1 || chosen !== "one";
}

/** The choices of cores. A choice that would use one core is left out, unless it is the current one. */
export function coresChoices(
  chosen: Cores,
  threads: number,
  cpus: number,
): readonly { readonly value: Cores; readonly text: string }[] {
  const all = [
    { value: "one", n: 2, text: "one core for all" },
    {
      value: "tid",
      n: threads,
      text: `one core per thread: ${counted(threads, "core")}`,
    },
    {
      value: "cpu",
      n: cpus,
      text: `one core per processor: ${counted(cpus, "core")}`,
    },
  ] as const;
  return all.filter(({ value, n }) => n > 1 || value === chosen);
}

/** The virtual machine of an access: `VM 2 under VPID 5`; empty if the trace has only one. */
export function vmText(
  vm: VmView | undefined,
  machine: Pick<MachineView, "tables"> = { tables: "x86" },
): string {
  if (!vm) return "";
  return vm.vpid === 0
    ? `VM ${vm.vm}`
    : `VM ${vm.vm} under ${wordsOf(machine).vm} ${vm.vpid}`;
}

/** The core of an access: `thread 41`; empty if there is one core. */
export function coreText(cores: Cores, { tid, cpu }: AccessView): string {
  switch (cores) {
    case "one":
      return "";
    case "tid":
      return nameOf(cores, tid);
    case "cpu":
      return nameOf(cores, cpu);
  }
}

/** A core whose TLBs can be shown. */
export interface CoreChoice {
  /** The number of its thread or processor in the trace. */
  readonly core: number;
  /** Its name: `thread 41`. */
  readonly name: string;
  /** The name with a note: `thread 41, unused`. */
  readonly text: string;
}

/** The cores that have been used so far, and the shown one; none if there is only one core. */
export function shownCores(
  { cores = [] }: Pick<StepView, "cores">,
  by: Cores,
  shown: number | undefined,
): readonly CoreChoice[] {
  if (by === "one") return [];
  const known = cores.map(({ core }) => {
    const name = nameOf(by, core);
    return { core, name, text: name };
  });
  return shown === undefined || cores.some(({ core }) => core === shown)
    ? known
    : [...known, unused(nameOf(by, shown), shown)];
}

function unused(name: string, core: number): CoreChoice {
  return { core, name, text: `${name}, unused` };
}

function nameOf(by: Exclude<Cores, "one">, core: number): string {
  return `${CORE_OF[by]} ${core}`;
}

/**
 * An access as another core sees it: that core looks up nothing, and only its invalidations by operations
 * around the access are shown. The core of the access, or none, sees the access itself.
 */
export function stepOn(step: StepView, core: number | undefined): StepView {
  const { cores = [], before, acts = [], after } = step;
  const view = cores.find((each) => each.core === core);
  if (core === undefined || view?.active === true) return step;
  const seenFrom = <T extends EffectsView>(effects: readonly T[]): T[] =>
    effects.flatMap((each) => {
      const own = each.cores.find((other) => other.core === core);
      if (!own) return [];
      const { dropped, entries = [] } = own;
      return [{ ...each, dropped, entries, stayed: [], cores: [] }];
    });
  return {
    ...step,
    translations: [],
    before: seenFrom(before),
    acts: seenFrom(acts),
    after: seenFrom(after),
    in_use: view?.in_use ?? step.in_use.map(() => 0),
  };
}

/** How many cores a trace is simulated on, in words. */
import type { AccessView } from "../engine/generated/AccessView";
import type { Cores } from "../engine/generated/Cores";
import type { TraceView } from "../engine/generated/TraceView";
import type { VmView } from "../engine/generated/VmView";
import type { MachineView } from "../engine/generated/MachineView";
import { counted } from "./format";
import { wordsOf } from "./words";

const WORDS: Readonly<Record<Cores, string>> = {
  one: "one",
  tid: "by thread",
  cpu: "by processor",
};

/** Every choice once, as links write it. */
export const CORES: readonly Cores[] = ["one", "tid", "cpu"];

export function coresWord(cores: Cores): string {
  return WORDS[cores];
}

/** True if there is a choice: several threads or processors, or one was made before. */
export function hasCores(
  { threads, cpus }: Pick<TraceView, "threads" | "cpus">,
  chosen: Cores,
): boolean {
  return threads > 1 || cpus > 1 || chosen !== "one";
}

/** What can be chosen: cores of which the trace would use one are left out, unless that is the choice. */
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
      text: `a core for each thread: ${counted(threads, "core")}`,
    },
    {
      value: "cpu",
      n: cpus,
      text: `a core for each processor: ${counted(cpus, "core")}`,
    },
  ] as const;
  return all.filter(({ value, n }) => n > 1 || value === chosen);
}

/** The virtual machine of an access: `VM 2 under VPID 5`; empty where the trace has only one. */
export function vmText(
  vm: VmView | undefined,
  machine: Pick<MachineView, "tables"> = { tables: "x86" },
): string {
  if (!vm) return "";
  return vm.vpid === 0
    ? `VM ${vm.vm}`
    : `VM ${vm.vm} under ${wordsOf(machine).vm} ${vm.vpid}`;
}

/** Whose core an access happened on: `thread 41`; empty on one core. */
export function coreText(cores: Cores, { tid, cpu }: AccessView): string {
  switch (cores) {
    case "one":
      return "";
    case "tid":
      return `thread ${tid}`;
    case "cpu":
      return `processor ${cpu}`;
  }
}

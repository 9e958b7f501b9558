/** The fields of a machine that a sweep can vary, with initial values. */
import { INCLUSIONS, INDEXES, VIRTS } from "../../engine/generated/words";
import { wordsOfConfig } from "../words/words";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { SweepAxis } from "./sweep";
import { POLICIES } from "../../engine/generated/machineRules";
import { fits } from "../config/policies";
import { arraysOf, isShape, shapeOf } from "./machine";

export interface SweepField extends SweepAxis {
  /** The name of the field: `STLB, entries`. */
  readonly label: string;
}

/** Powers of two around a number. */
function around(n: number): readonly number[] {
  return [n / 4, n / 2, n, n * 2, n * 4].filter(Number.isInteger);
}

/** `sizes` are the machine's page sizes. The chosen array comes first, by its `id`. */
export function sweepFields(
  machine: MachineConfig,
  sizes: readonly PageSize[],
  first?: string,
): readonly SweepField[] {
  const all = arraysOf(machine);
  const arrays = [
    ...all.filter(({ id }) => id === first),
    ...all.filter(({ id }) => id !== first).reverse(),
  ];
  const ofArray = arrays.flatMap(({ id, name, array }): SweepField[] => {
    const { ways, sets, entries } = shapeOf(array);
    const field = (of: string, values: string) => ({
      field: `machine.${id}.${of}`,
      label: `${name}, ${of}`,
      values,
    });
    const own = array.replacement;
    const fitting = around(ways).filter((n) => fits(own, n));
    const policies = POLICIES.map(({ id }) => id).filter((policy) =>
      fits(policy, ways),
    );
    return [
      field("entries", around(entries).join(", ")),
      field("replacement", policies.join(", ")),
      ...(sets > 1 && fitting.length > 1
        ? [field("ways", fitting.join(", "))]
        : []),
      field("index", INDEXES.join(", ")),
    ];
  });
  const words = wordsOfConfig(machine);
  const caches = Object.entries(machine.psc).flatMap(([name, cache]) =>
    isShape(cache)
      ? [
          {
            field: `machine.psc.${name}.entries`,
            label: `${words.walkCache(name)}, entries`,
            values: around(cache.entries).join(", "),
          },
        ]
      : [],
  );
  const { latency, memory } = machine;
  return [
    ...ofArray,
    ...caches,
    {
      field: "machine.latency.walk_overhead",
      label: "Overhead of a walk",
      values: `0, ${latency.walk_overhead}, 30`,
    },
    {
      field: "machine.memory.dram",
      label: "DRAM latency",
      values: around(memory.dram).join(", "),
    },
    {
      field: "machine.inclusion",
      label: "Inclusion of levels",
      values: INCLUSIONS.join(", "),
    },
    { field: "pages", label: "Pages", values: sizes.join(", ") },
    { field: "virt", label: "Memory", values: VIRTS.join(", ") },
  ];
}

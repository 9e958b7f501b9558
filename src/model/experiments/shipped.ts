/** The results that a version ships, as one file: experiments share machines, so the file has each machine once. */
import type { ExperimentResult } from "../../engine/generated/ExperimentResult";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { Part } from "../../engine/generated/Part";
import { count, counted } from "../shared/format";
import { same } from "../shared/mergePatch";

/** The results by the ids of their experiments. */
export type Shipped = Readonly<Record<string, ExperimentResult>>;

export interface ShippedFile {
  readonly machines: readonly MachineConfig[];
  /** In the order of the list. */
  readonly results: readonly PackedResult[];
}

interface PackedResult extends Omit<ExperimentResult, "parts"> {
  readonly parts: readonly PackedPart[];
}

/** `machine` is an index into `machines`. */
interface PackedPart extends Omit<Part, "machine"> {
  readonly machine: number;
}

/** Each result and each row of a table begins a line, so that a diff of two files shows which numbers changed. */
export function writeShipped(results: readonly ExperimentResult[]): string {
  const machines: MachineConfig[] = [];
  const indexOf = (machine: MachineConfig) => {
    const known = machines.findIndex((each) => same(each, machine));
    return known === -1 ? machines.push(machine) - 1 : known;
  };
  const file: ShippedFile = {
    results: results.map((result) => ({
      ...result,
      parts: result.parts.map((part) => ({
        ...part,
        machine: indexOf(part.machine),
      })),
    })),
    machines,
  };
  // Quotes inside a text are escaped, so only objects begin with these characters.
  return `${JSON.stringify(file).replaceAll(/\{"(?:case|id)":/g, "\n$&")}\n`;
}

export function readShipped({ machines, results }: ShippedFile): Shipped {
  return Object.fromEntries(
    results.map((result) => [
      result.id,
      {
        ...result,
        parts: result.parts.flatMap((part) => {
          const machine = machines[part.machine];
          return machine ? { ...part, machine } : [];
        }),
      },
    ]),
  );
}

/** How a result that was computed here compares with the shipped one, as words after its time. */
export function comparedText(
  here: ExperimentResult,
  shipped: ExperimentResult | undefined,
): string | undefined {
  if (!shipped) return undefined;
  const rows = numbersOf(here);
  const before = numbersOf(shipped);
  const n = Math.max(rows.length, before.length);
  const differing = Array.from({ length: n }, (_, at) => at).filter(
    (at) => rows[at] !== before[at],
  ).length;
  return differing === 0
    ? `the same ${counted(n, "number")} as this version ships`
    : `${count(differing)} of ${counted(n, "number")} differ from those that this version ships`;
}

/** The simulated numbers of the tables, and the points of the charts. */
function numbersOf({ tables, charts }: ExperimentResult): number[] {
  return [
    ...tables.flatMap(({ rows }) =>
      rows.flatMap(({ simulated }) => simulated ?? []),
    ),
    ...charts.flatMap(({ series }) =>
      series.flatMap(({ points }) => points.flat()),
    ),
  ];
}

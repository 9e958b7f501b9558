/** What a printed sheet says about the machine of an exercise. */
import type { MachineView } from "../../engine/generated/MachineView";
import { isArray } from "./kinds";

export function machineRows(
  machine: MachineView,
): readonly (readonly [name: string, value: string])[] {
  const { name, va_bits, levels, page_sizes, structures } = machine;
  return [
    ["Machine", name],
    ["Virtual addresses", `${va_bits} bits`],
    ["Page sizes", page_sizes.join(", ")],
    ["Levels of the page table", String(levels)],
    ...structures
      .filter(isArray)
      .map(({ name, sets, ways, pages, replacement }): [string, string] => [
        name,
        `${sets} ${sets === 1 ? "set" : "sets"} × ${ways} ${ways === 1 ? "way" : "ways"}, pages of ${pages.join(", ")}, ${replacement}`,
      ]),
  ];
}

/** The names in a text, one a line; each is there once. */
export function namesIn(text: string): readonly string[] {
  const names = text.split(/\r\n|\r|\n/).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** More sheets than this are no class. */
export const MOST_SHEETS = 300;

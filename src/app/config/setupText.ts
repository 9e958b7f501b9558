import { mappingText, virtOf } from "../../model/config/mapping";
import { pagesText } from "../../model/config/pagePolicies";
import { wordsOfConfig } from "../../model/words/words";
import type { Configuration } from "../../state/config/configurations";

/** The machine, its pages and its host in one line: `Skylake-SP, edited · 4K on EPT 4K`. */
export function setupText(
  { machine, os }: Configuration["setup"],
  edited: boolean,
): string {
  const host =
    virtOf(os) === "native"
      ? ""
      : ` on ${mappingText(os, wordsOfConfig(machine))}`;
  return `${machine.name}${edited ? ", edited" : ""} · ${pagesText(os)}${host}`;
}

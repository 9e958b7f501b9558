/** How memory is mapped, in words and as a choice: native, or by a host with its own pages. */
import { DEFAULT_OS } from "../../engine/generated/defaults";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { Virt } from "../../engine/generated/Virt";
import { policyWord, withoutIdle } from "./pagePolicies";
import type { Words } from "../words/vocabulary";

/** The tooltip of each kind of mapping. */
export const VIRT_MEANINGS: Readonly<Record<Virt, string>> = {
  native: "one page table, of the operating system",
  ept: "nested: the host’s tables map the memory that holds the guest’s tables",
  shadow: "one page table, which the host keeps in step with the guest’s",
};

export function virtOf({ virt = "native" }: OsConfig): Virt {
  return virt;
}

/** The host's page size if it is the same everywhere; `null` if not, `undefined` if it is not set. */
export function hostPages({ host }: OsConfig): PagePolicy | null | undefined {
  if (!host) return undefined;
  return host.regions.length > 0 ? null : host.default;
}

/** The host's pages if they are not set; `undefined` if they are as large as the guest's. */
export function defaultHostPages(virt: Virt): PagePolicy | undefined {
  return virt === "ept" ? DEFAULT_OS.default : undefined;
}

/** The mapping in words: `native`, `EPT 4K`, `shadow`. */
export function mappingText(os: OsConfig, words: Words): string {
  const virt = virtOf(os);
  const pages = hostPages(os);
  const word = words.virt[virt];
  if (virt === "native") return word;
  if (pages === null) return `${word}, by region`;
  const shown = pages ?? defaultHostPages(virt);
  return shown === undefined ? word : `${word} ${policyWord(shown)}`;
}

/** The guest's mapping with another host, or without one. */
export function withVirt(os: OsConfig, virt: Virt): OsConfig {
  const next: OsConfig = { ...os, virt };
  if (virt !== "native") return next;
  // Left out instead of set to `undefined`, since the two differ in JSON.
  delete next.virt;
  delete next.host;
  return next;
}

/** Sets one host page size; `undefined` leaves it to the simulator. */
export function withHostPages(
  os: OsConfig,
  pages: PagePolicy | undefined,
): OsConfig {
  const next: OsConfig = { ...os };
  if (pages === undefined) delete next.host;
  else
    next.host = withoutIdle({
      frames: "sequential",
      ...os.host,
      default: pages,
      regions: [],
    });
  return next;
}

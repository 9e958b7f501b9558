/** How memory is mapped, in words and as a choice: native, or by a host with pages of its own. */
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { Virt } from "../../engine/generated/Virt";
import { policyWord, withoutIdle } from "./pagePolicies";
import type { Words } from "../words/vocabulary";

/** What each way of mapping means, for its tooltip. */
export const VIRT_MEANINGS: Readonly<Record<Virt, string>> = {
  native: "one page table, of the operating system",
  ept: "nested: the guest's tables lie in memory that the host's tables map",
  shadow: "one page table, which the host keeps in step with the guest's",
};

export function virtOf({ virt = "native" }: OsConfig): Virt {
  return virt;
}

/** The host's pages where they are one size everywhere; `null` if they are not, `undefined` if nothing is said. */
export function hostPages({ host }: OsConfig): PagePolicy | null | undefined {
  if (!host) return undefined;
  return host.regions.length > 0 ? null : host.default;
}

/** `native`, `EPT 4K`, `shadow`. */
export function mappingText(os: OsConfig, words: Words): string {
  const virt = virtOf(os);
  const pages = hostPages(os);
  const word = words.virt[virt];
  if (virt === "native") return word;
  if (pages === null) return `${word}, by region`;
  const shown = pages ?? (virt === "ept" ? "4K" : undefined);
  return shown === undefined ? word : `${word} ${policyWord(shown)}`;
}

/** The same mapping of the guest, with another host or none. */
export function withVirt(os: OsConfig, virt: Virt): OsConfig {
  const next: OsConfig = { ...os, virt };
  if (virt !== "native") return next;
  // Left out, not `undefined`: JSON knows the difference.
  delete next.virt;
  delete next.host;
  return next;
}

/** Host pages of one size; `undefined` leaves them to the simulator's choice. */
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

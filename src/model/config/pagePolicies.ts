/** What decides the page of an address, in words, and each policy's settings with the core's defaults. */
import {
  DEFAULT_HUGETEXT,
  DEFAULT_OS,
  DEFAULT_THP,
} from "../../engine/generated/defaults";
import type { HugetextConfig } from "../../engine/generated/HugetextConfig";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { PageSize } from "../../engine/generated/PageSize";
import type { ThpConfig } from "../../engine/generated/ThpConfig";
import { pageSize } from "../shared/format";
import { smallestPage } from "./defaults";
import { bytesOf, sizeWords } from "../shared/pageSizes";
import { same } from "../shared/mergePatch";

/** The families of policies; `fixed` is a page size. */
export type PolicyFamily = "fixed" | "thp" | "hugetlb" | "hugetext";

const HUGETLB = "hugetlb-";

export function familyOf(policy: PagePolicy): PolicyFamily {
  if (policy === "thp" || policy === "hugetext") return policy;
  return policy.startsWith(HUGETLB) ? "hugetlb" : "fixed";
}

/** The name of a policy: `2M`, `THP`, `hugetlbfs 2M`, `hugetext`. */
export function policyWord(policy: PagePolicy): string {
  switch (familyOf(policy)) {
    case "fixed":
      return sizeWords(policy);
    case "hugetext":
      return policy;
    case "thp":
      return "THP";
    case "hugetlb":
      return `hugetlbfs ${policy.slice(HUGETLB.length)}`;
  }
}

/** What a policy does, in a sentence. `sizes` are the machine's page sizes, smallest first. */
export function policyMeaning(
  policy: PagePolicy,
  sizes: readonly PageSize[],
  huge: PageSize | null,
): string {
  const smallest = sizes[0] ?? DEFAULT_OS.default;
  switch (familyOf(policy)) {
    case "fixed":
      return policy === smallest
        ? `A first touch maps one page of ${policy}.`
        : `A first touch maps one page of ${policy}, or of the next smaller size if it does not fit the region.`;
    case "thp":
      return `Transparent huge pages: anonymous memory gets whole pages of ${huge ?? "2M"}, at a fault or later; everything else ${smallest}.`;
    case "hugetlb":
      return `Only pages of ${policy.slice(HUGETLB.length)}, from a pool: a touch that finds the pool empty is a bus error.`;
    case "hugetext":
      return `Code gets pages of ${huge ?? "2M"}, everything else ${smallest}.`;
  }
}

/** The policies that a machine can follow. */
export function policiesOf(
  sizes: readonly PageSize[],
  huge: PageSize | null,
): readonly PagePolicy[] {
  return [
    ...sizes,
    ...(huge === null ? [] : ["thp"]),
    ...sizes.slice(1).map((size) => `${HUGETLB}${size}`),
    ...(huge === null ? [] : ["hugetext"]),
  ];
}

/**
 * The page size that an entry of the second-lowest table maps, used by THP and hugetext; `null` if there is
 * none.
 */
export function hugePage({
  paging,
}: Pick<MachineConfig, "paging">): PageSize | null {
  if (!paging) return "2M";
  const { offset_bits, index_bits, leaf_levels } = paging;
  const lowest = index_bits.at(-1);
  // Without leaf levels, the usual ones are meant.
  const isLeaf = leaf_levels?.includes(2) ?? true;
  const hasLevel = index_bits.length > 1 && isLeaf;
  return lowest === undefined || !hasLevel
    ? null
    : pageSize(offset_bits + lowest);
}

/** Returns whether memory has the pages that the recording measured. */
export function isAsRecorded({ map }: OsConfig): boolean {
  return map === AS_RECORDED;
}

/** The choice of the page sizes that the recording measured. It stands among the policies. */
export const AS_RECORDED = "recorded";

/** The mapping without the pages of a recording; other memory maps stay. */
export function withoutRecorded(os: OsConfig): OsConfig {
  const next = { ...os };
  if (isAsRecorded(os)) Reflect.deleteProperty(next, "map");
  return next;
}

/** The policy of all memory; `null` if it has none, since regions or a recording say more. */
export function onlyPolicy(os: OsConfig): PagePolicy | null {
  return os.regions.length > 0 || isAsRecorded(os) ? null : os.default;
}

/** The policy in words: `THP`, or that regions have their own. */
export function pagesText(os: OsConfig): string {
  if (isAsRecorded(os)) return "as recorded";
  return os.regions.length > 0 ? "by region" : policyWord(os.default);
}

/** Returns whether a policy of this family maps anything. */
export function usesFamily(
  { default: policy, regions }: OsConfig,
  family: PolicyFamily,
): boolean {
  return [policy, ...regions.map(({ pages }) => pages)].some(
    (each) => familyOf(each) === family,
  );
}

export function thpOf({ thp }: OsConfig): ThpConfig {
  return { ...DEFAULT_THP, ...thp };
}

export function hugetextOf({ hugetext }: OsConfig): HugetextConfig {
  return { ...DEFAULT_HUGETEXT, ...hugetext };
}

/** Default settings are left out, so that links stay short. */
export function withThp(os: OsConfig, thp: ThpConfig): OsConfig {
  const next = { ...os, thp };
  if (same(thp, DEFAULT_THP)) Reflect.deleteProperty(next, "thp");
  return next;
}

export function withHugetext(os: OsConfig, hugetext: HugetextConfig): OsConfig {
  const next = { ...os, hugetext };
  if (same(hugetext, DEFAULT_HUGETEXT))
    Reflect.deleteProperty(next, "hugetext");
  return next;
}

/** Removes the settings of policies that map nothing, which the core rejects, after a policy has changed. */
export function withoutIdle(os: OsConfig): OsConfig {
  const { thp, hugetext, hugetlb, ...rest } = os;
  const sizes = [os.default, ...os.regions.map(({ pages }) => pages)]
    .filter((pages) => familyOf(pages) === "hugetlb")
    .map((pages) => bytesOf(pages.slice(HUGETLB.length)));
  const pools = hugetlb?.filter(({ size }) =>
    sizes.some((largest) => bytesOf(size) <= largest),
  );
  return {
    ...rest,
    ...(thp && usesFamily(os, "thp") && { thp }),
    ...(hugetext && usesFamily(os, "hugetext") && { hugetext }),
    ...(pools && pools.length > 0 && { hugetlb: pools }),
  };
}

/**
 * The mapping with one policy for all memory, without regions and recorded pages. Another policy removes the given state, whose pages
 * have the sizes of the old policy.
 */
export function withDefault(os: OsConfig, policy: PagePolicy): OsConfig {
  const next = withoutRecorded(
    withoutIdle({ ...os, default: policy, regions: [] }),
  );
  if (policy !== os.default) Reflect.deleteProperty(next, "given");
  return next;
}

/** Sets one policy for all memory, and removes settings that would make the policy do nothing. */
export function withPolicy(os: OsConfig, policy: PagePolicy): OsConfig {
  const next = withDefault(os, policy);
  const thp = thpOf(next);
  // Without regions nothing is advised, so only "always" makes huge pages.
  return policy === "thp" && thp.enabled !== "always"
    ? withThp(next, { ...thp, enabled: "always" })
    : next;
}

/** One policy for all memory, or the pages that the recording measured and the machine's smallest pages elsewhere. */
export function withPages(
  os: OsConfig,
  machine: MachineConfig,
  choice: PagePolicy,
): OsConfig {
  if (choice !== AS_RECORDED) return withPolicy(os, choice);
  return { ...withDefault(os, smallestPage(machine)), map: AS_RECORDED };
}

/** The choice of the mapping; `null` if it is none, since regions have policies of their own. */
export function pagesChoice(os: OsConfig): PagePolicy | null {
  return isAsRecorded(os) && os.regions.length === 0
    ? AS_RECORDED
    : onlyPolicy(os);
}

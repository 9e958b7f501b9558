/** When an entry came: at an access, or before the trace if the machine was given it. */
import { createContext, use } from "react";
import { cameText } from "../../model/tlb/array";
import type { AccessIndex } from "../../model/shared/units";

/** The page numbers of the TLB's given entries. */
export const GivenKeysContext = createContext<ReadonlySet<bigint>>(new Set());

export function useIsGiven(): (key: bigint, filledAt: AccessIndex) => boolean {
  const given = use(GivenKeysContext);
  return (key, filledAt) => filledAt === 0 && given.has(key);
}

export interface CameProps {
  readonly entryKey: bigint;
  readonly filledAt: AccessIndex;
  readonly hits: number;
}

export function Came({ entryKey, filledAt, hits }: CameProps) {
  const isGiven = useIsGiven();
  return cameText(isGiven(entryKey, filledAt) ? null : filledAt, hits);
}

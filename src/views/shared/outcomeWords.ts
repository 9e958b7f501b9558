/** The words for outcomes on the page's machine: its second level is an STLB or an L2 TLB. */
import { createContext, useContext } from "react";
import type { Outcome } from "../../engine/generated/Outcome";
import { outcomeWord, SECOND_LEVEL } from "../../model/shared/outcome";

/** The name of the machine's second level. */
export const SecondLevelContext = createContext<string>(SECOND_LEVEL);

export function useOutcomeWord(): (outcome: Outcome) => string {
  const second = useContext(SecondLevelContext);
  return (outcome) => outcomeWord(outcome, second);
}

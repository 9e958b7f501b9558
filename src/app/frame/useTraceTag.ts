import { useMemo } from "react";
import {
  completenessMeaning,
  completenessWord,
} from "../../model/import/traceText";
import type { TagOfTrace } from "../../views/shared/TraceTag";
import { useApp } from "../context";

/** The completeness tag for everything computed from the trace; `null` if the trace is complete. */
export function useTraceTag(): TagOfTrace | null {
  const report = useApp((state) => state.trace?.import);
  return useMemo(() => {
    if (!report) return null;
    const { completeness, format, part, guessed } = report;
    if (completeness === "complete" && !part && !guessed) return null;
    return {
      word: completenessWord(completeness, format, part, guessed),
      meaning: completenessMeaning(completeness, format, part, guessed),
    };
  }, [report]);
}

/**
 * How much of the program the trace holds, beside whatever is computed from it. A complete trace has no tag.
 * The page gives it once, to every picture and table below.
 */
import { createContext, useContext } from "react";
import { Tooltip } from "./Tooltip";
import "./controls.css";

export interface TagOfTrace {
  /** `sampled`. */
  readonly word: string;
  /** What the numbers cannot tell for that. */
  readonly meaning: string;
}

/** `null` of a complete trace, or of none. */
export const TraceTagContext = createContext<TagOfTrace | null>(null);

/** The tag as a column of a CSV: by its head, what stands in each row. None of a complete trace. */
export function useTagFacts(): Readonly<Record<string, string>> {
  const tag = useContext(TraceTagContext);
  return tag ? { completeness: tag.word } : {};
}

export function TraceTag() {
  const tag = useContext(TraceTagContext);
  if (!tag) return null;
  return (
    <Tooltip content={tag.meaning} tap>
      <button type="button" className="plain-button trace-tag">
        {tag.word}
      </button>
    </Tooltip>
  );
}

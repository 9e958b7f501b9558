/**
 * The completeness of the trace, shown next to computed numbers. A complete trace has no tag. The page
 * provides the tag once for all pictures and tables inside.
 */
import { createContext, useContext } from "react";
import { Tooltip } from "./Tooltip";
import "./controls.css";

export interface TagOfTrace {
  /** The completeness as a word: `sampled`. */
  readonly word: string;
  /** What the numbers cannot show for that reason. */
  readonly meaning: string;
}

/** `null` if the trace is complete, or if there is no trace. */
export const TraceTagContext = createContext<TagOfTrace | null>(null);

/** The tag as a CSV column: header and value of each row. A complete trace has none. */
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

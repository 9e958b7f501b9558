/** The access at the cursor: its line, its element, and how its translation ended. Its neighbours are a press away. */
import { count, cycles } from "../../model/shared/format";
import { outcomeWord } from "../../model/shared/outcome";
import { programAccess } from "../../model/code/places";
import type { ProgramShown } from "../../model/code/code";
import { Glyph } from "../shared/Glyph";

export interface ProgramCursorProps {
  readonly shown: ProgramShown;
  readonly onGoTo: (access: number) => void;
}

export function ProgramCursor({ shown, onGoTo }: ProgramCursorProps) {
  const { step, result, trace } = shown;
  if (!step) return <p className="code-cursor t2">&nbsp;</p>;
  const { index, access, outcome, translations } = step;
  const cost = translations.reduce((sum, each) => sum + each.cycles.total, 0);
  return (
    <p className="code-cursor">
      <button
        type="button"
        className="btn quiet icon"
        aria-label="Previous access"
        disabled={index === 0}
        onClick={() => onGoTo(index - 1)}
      >
        ◀
      </button>
      <button
        type="button"
        className="btn quiet icon"
        aria-label="Next access"
        disabled={index + 1 >= trace.n_accesses}
        onClick={() => onGoTo(index + 1)}
      >
        ▶
      </button>{" "}
      <span className="t2">access {count(index)}:</span>{" "}
      {programAccess(access, result.arrays, result.compiled?.about)}{" "}
      <Glyph outcome={outcome} /> {outcomeWord(outcome)}, {cycles(cost)}
    </p>
  );
}

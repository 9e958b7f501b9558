/** The access at the cursor: its line, its element, and how its translation ended. */
import { count, cycles } from "../../model/shared/format";
import { outcomeWord } from "../../model/shared/outcome";
import { programAccess } from "../../model/code/places";
import type { ProgramShown } from "../../model/code/code";
import { Glyph } from "../shared/Glyph";

export function ProgramCursor({ shown }: { readonly shown: ProgramShown }) {
  const { step, result } = shown;
  if (!step) return <p className="code-cursor t2">&nbsp;</p>;
  const { index, access, outcome, translations } = step;
  const cost = translations.reduce((sum, each) => sum + each.cycles.total, 0);
  return (
    <p className="code-cursor">
      <span className="t2">access {count(index)}:</span>{" "}
      {programAccess(access, result.arrays)} <Glyph outcome={outcome} />{" "}
      {outcomeWord(outcome)}, {cycles(cost)}
    </p>
  );
}

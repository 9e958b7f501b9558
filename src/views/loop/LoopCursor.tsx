/** The access at the cursor: its line, its element, and how its translation ended. */
import { count, cycles } from "../../model/shared/format";
import { outcomeWord } from "../../model/shared/outcome";
import { loopAccess } from "../../model/loop/places";
import type { LoopShown } from "../../model/loop/loop";
import { Glyph } from "../shared/Glyph";

export function LoopCursor({ shown }: { readonly shown: LoopShown }) {
  const { step, result } = shown;
  if (!step) return <p className="loop-cursor t2">&nbsp;</p>;
  const { index, access, outcome, translations } = step;
  const cost = translations.reduce((sum, each) => sum + each.cycles.total, 0);
  return (
    <p className="loop-cursor">
      <span className="t2">access {count(index)}:</span>{" "}
      {loopAccess(access, result.arrays)} <Glyph outcome={outcome} />{" "}
      {outcomeWord(outcome)}, {cycles(cost)}
    </p>
  );
}

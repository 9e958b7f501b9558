/** The references and cycles of one access on two machines, in one line. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import { counted, cycles } from "../shared/format";
import { outcomeWord } from "../shared/outcome";
import { wordsOf } from "../words/words";

/**
 * `EPT 24 references, 448 cycles · native 4 references, 110 cycles · 20 references and 338 cycles less on the
 * right`.
 */
export function walkCosts(
  machines: readonly [MachineView, MachineView],
  steps: readonly [StepView | null, StepView | null],
): string {
  const [left, right] = steps.map((step) => step && costOf(step));
  const names = machines.map((machine) => wordsOf(machine).virt[machine.virt]);
  const isSame = names[0] === names[1];
  const sides = [left, right].map((cost, at) => {
    const name = isSame ? (at === 0 ? "left" : "right") : (names[at] ?? "");
    return `${name} ${cost ? cost.text : "not simulated"}`;
  });
  return [...sides, ...(left && right ? [difference(left, right)] : [])].join(
    " · ",
  );
}

interface Cost {
  readonly refs: number;
  readonly cycles: number;
  readonly text: string;
}

function costOf({ translations, outcome }: StepView): Cost {
  const sum = (part: (typeof translations)[number][]) => ({
    refs: part.reduce((total, { refs }) => total + refs, 0),
    cycles: part.reduce((total, each) => total + each.cycles.total, 0),
  });
  const { refs, cycles: total } = sum(translations);
  const what =
    refs === 0 && translations.length > 0
      ? `${outcomeWord(outcome)}, no reference`
      : counted(refs, "reference");
  return { refs, cycles: total, text: `${what}, ${cycles(total)}` };
}

/** `20 references and 338 cycles less on the right`. */
function difference(left: Cost, right: Cost): string {
  const refs = right.refs - left.refs;
  const by = right.cycles - left.cycles;
  const refsText = counted(Math.abs(refs), "reference");
  const cyclesText = cycles(Math.abs(by));
  if (refs === 0 && by === 0) return "both cost the same";
  if (refs === 0) return `${cyclesText} ${sign(by)} on the right`;
  if (by === 0) return `${refsText} ${sign(refs)} on the right`;
  return sign(refs) === sign(by)
    ? `${refsText} and ${cyclesText} ${sign(by)} on the right`
    : `${refsText} ${sign(refs)} and ${cyclesText} ${sign(by)} on the right`;
}

const sign = (by: number) => (by > 0 ? "more" : "less");

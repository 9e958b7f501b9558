/** The advice on huge pages, connected with the store. */
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import { advisedSetup, rangesCsv } from "../../model/whatif/advice";
import { hugeQuestion } from "../../model/whatif/asking";
import { adviceRows, mostSavedFirst } from "../../model/whatif/pages";
import { keyOf, valueOf } from "../../model/whatif/questions";
import { savedBy } from "../../model/whatif/savings";
import type { WhatIf } from "../../model/whatif/whatIf";
import { Advice } from "../../views/whatif/Advice";
import { AdvicePanel } from "../../views/whatif/AdvicePanel";
import { useAppStore } from "../context";
import { useAnswer, useRuns } from "./useAsked";
import { usePageSizes, usePanelActions } from "./useWhatIf";

interface PartProps {
  readonly whatIf: WhatIf;
}

/** The number of regions listed. */
const SHOWN = 6;

export function WhatIfAdvice({ whatIf }: PartProps) {
  const sizes = usePageSizes();
  const question = hugeQuestion(whatIf, sizes);
  const asked = useAnswer(question);
  const advice = valueOf(asked);
  const store = useAppStore();
  const regionsCsv = () => {
    if (!advice) return rangesCsv([]);
    const { runs } = store.getState().whatIf;
    const simulated = adviceRows(advice).map((row) => {
      const setup = advisedSetup(whatIf, advice, row.starts);
      const run = valueOf(runs[keyOf(setup)]);
      return { ...row, saved: run && savedBy(advice, run) };
    });
    return rangesCsv(simulated);
  };
  return (
    <AdvicePanel
      whatIf={whatIf}
      question={question}
      asked={asked}
      sizes={sizes}
      regionsCsv={regionsCsv}
      {...usePanelActions()}
    >
      {advice ? <Regions whatIf={whatIf} advice={advice} /> : null}
    </AdvicePanel>
  );
}

function Regions({
  whatIf,
  advice,
}: PartProps & { readonly advice: HugeAdvice }) {
  const rows = adviceRows(advice).slice(0, SHOWN);
  const runs = useRuns(
    rows.map(({ starts }) => advisedSetup(whatIf, advice, starts)),
  );
  const simulated = rows.map((row, at) => {
    const run = runs[at];
    const report = valueOf(run);
    return {
      ...row,
      saved: report && savedBy(advice, report),
      why: run?.status === "failed" ? run.why : undefined,
    };
  });
  return (
    <Advice
      whatIf={whatIf}
      advice={advice}
      rows={mostSavedFirst(simulated)}
      onChange={usePanelActions().onChange}
    />
  );
}

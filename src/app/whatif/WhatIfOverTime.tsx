/** The working set over time, uses per page, and what walk cycles depend on, connected with the store. */
import { workingSetQuestion } from "../../model/whatif/asking";
import { sensitivityChoices, walkersText } from "../../model/whatif/overTime";
import { popularityQuestion } from "../../model/whatif/popularity";
import { valueOf } from "../../model/whatif/questions";
import type { WhatIf } from "../../model/whatif/whatIf";
import { PopularityPanel } from "../../views/whatif/PopularityPanel";
import { SensitivityPanel } from "../../views/whatif/SensitivityPanel";
import { WorkingSetPanel } from "../../views/whatif/WorkingSetPanel";
import { useAnswer, useRuns } from "./useAsked";
import { usePanelActions } from "./useWhatIf";

interface PartProps {
  readonly whatIf: WhatIf;
}

/** The panels about the whole trace, from top to bottom. */
export function OverTime({ whatIf }: PartProps) {
  return (
    <>
      <Working whatIf={whatIf} />
      <Popularity whatIf={whatIf} />
    </>
  );
}

function Working({ whatIf }: PartProps) {
  const question = workingSetQuestion(whatIf);
  return (
    <WorkingSetPanel
      whatIf={whatIf}
      question={question}
      asked={useAnswer(question)}
      {...usePanelActions()}
    />
  );
}

function Popularity({ whatIf }: PartProps) {
  const question = popularityQuestion(whatIf);
  return (
    <PopularityPanel
      whatIf={whatIf}
      question={question}
      asked={useAnswer(question)}
      {...usePanelActions()}
    />
  );
}

export function Sensitivity({ whatIf: { own, ownReport } }: PartProps) {
  const choices = sensitivityChoices(own);
  const runs = useRuns(choices.map(({ setup }) => ({ ...own, ...setup })));
  return (
    <SensitivityPanel
      own={ownReport}
      rows={choices.map(({ name }, at) => {
        const run = runs[at];
        const problem = run?.status === "failed" ? run.why : undefined;
        return { name, report: valueOf(run), problem };
      })}
      walkers={walkersText(own.machine)}
    />
  );
}

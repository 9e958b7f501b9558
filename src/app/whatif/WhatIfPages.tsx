/** Page sizes compared, and the causes of misses, connected with the store. */
import { splitQuestion } from "../../model/whatif/asking";
import { recordedNote } from "../../model/whatif/recorded";
import { pagesChoices, pagesRow } from "../../model/whatif/pages";
import { valueOf } from "../../model/whatif/questions";
import { measuredMisses, splitCsv } from "../../model/whatif/split";
import type { WhatIf } from "../../model/whatif/whatIf";
import { MissCauses } from "../../views/whatif/MissCauses";
import { PagesPanel } from "../../views/whatif/PagesPanel";
import { useAnswer, useRuns } from "./useAsked";
import { usePageSizes, usePanelActions } from "./useWhatIf";

export function WhatIfPages({ whatIf }: { readonly whatIf: WhatIf }) {
  const { own, ownReport, place } = whatIf;
  const actions = usePanelActions();
  const question = splitQuestion(whatIf);
  const split = useAnswer(question);
  const choices = pagesChoices(
    own.os,
    own.machine,
    usePageSizes(),
    whatIf.trace.recorded !== undefined,
  );
  const runs = useRuns(
    choices.map(({ id, os }) => (id === "now" ? undefined : { ...own, os })),
  );
  const found = valueOf(split);
  return (
    <PagesPanel
      rows={choices.map((choice, at) => {
        const run = runs[at];
        const report = choice.id === "now" ? ownReport : valueOf(run);
        const problem = run?.status === "failed" ? run.why : undefined;
        return { ...pagesRow(choice, report, ownReport), problem };
      })}
      tables={
        found && question
          ? [
              {
                of: "misses by cause",
                csv: () =>
                  splitCsv(found, measuredMisses(whatIf, found).measured),
              },
            ]
          : []
      }
      note={recordedNote(whatIf)}
      onOpen={(os) => actions.onOpen({ machine: own.machine, os })}
    >
      {place && question ? (
        <MissCauses
          whatIf={whatIf}
          place={place}
          question={question}
          asked={split}
          {...actions}
        />
      ) : null}
    </PagesPanel>
  );
}

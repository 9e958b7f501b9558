/** The context of every picture, table and word of the page. */
import { useMemo } from "react";
import type { ReactNode } from "react";
import { SECOND_LEVEL } from "../../model/shared/outcome";
import { givenKeys } from "../../model/tlb/given";
import { secondLevelName } from "../../model/tlb/names";
import type { AppState } from "../../state/store";
import { ChoicesContext } from "../../views/shared/choices";
import { SecondLevelContext } from "../../views/shared/outcomeWords";
import { PlainContext } from "../../views/shared/plain";
import { PatternSheet } from "../../views/shared/Patterns";
import { PageFactsContext } from "../../views/shared/picture/PageFacts";
import { GivenKeysContext } from "../../views/tlb/Came";
import { TraceTagContext } from "../../views/shared/TraceTag";
import { useActions, useApp } from "../context";
import { TermCards } from "../glossary/TermCards";
import { useChoices } from "../shared/useChoices";
import { usePageFacts } from "./usePageFacts";
import { useTraceTag } from "./useTraceTag";

export function Around({ children }: { readonly children: ReactNode }) {
  const { reportUnexpected } = useActions();
  const second = useApp(secondLevel);
  const plain = useApp((state) => state.plain);
  return (
    <TraceTagContext value={useTraceTag()}>
      <PageFactsContext value={usePageFacts()}>
        <ChoicesContext value={useChoices()}>
          <SecondLevelContext value={second}>
            <PatternSheet />
            <PlainContext value={plain}>
              <GivenKeysContext value={useGivenKeys()}>
                <TermCards onError={reportUnexpected}>{children}</TermCards>
              </GivenKeysContext>
            </PlainContext>
          </SecondLevelContext>
        </ChoicesContext>
      </PageFactsContext>
    </TraceTagContext>
  );
}

function useGivenKeys(): ReadonlySet<bigint> {
  const given = useApp((state) => state.configuration?.setup.os.given);
  const machine = useApp((state) => state.machine);
  return useMemo(
    () => (machine ? givenKeys(given, machine) : new Set()),
    [given, machine],
  );
}

/** The second level by its name, unless two machines are compared. */
function secondLevel({ screen, machine }: AppState): string {
  return machine && screen !== "compare"
    ? secondLevelName(machine)
    : SECOND_LEVEL;
}

/** Misses by size, and by sets and ways, connected with the store. */
import {
  secondLevelQuestion,
  curveQuestion,
  surfaceQuestion,
} from "../../model/whatif/asking";
import { shownSizes } from "../../model/whatif/pages";
import type { WhatIf } from "../../model/whatif/whatIf";
import { CurvesPanel } from "../../views/whatif/CurvesPanel";
import { SurfacePanel } from "../../views/whatif/SurfacePanel";
import { useAnswer } from "./useAsked";
import { usePageSizes, usePanelActions } from "./useWhatIf";

interface PartProps {
  readonly whatIf: WhatIf;
}

export function Curves({ whatIf }: PartProps) {
  const sizes = shownSizes(usePageSizes());
  const second = secondLevelQuestion(whatIf);
  const curves = [
    useAnswer(curveQuestion(whatIf, sizes[0])),
    useAnswer(curveQuestion(whatIf, sizes[1])),
    useAnswer(curveQuestion(whatIf, sizes[2])),
  ];
  const secondLevel = useAnswer(second);
  const questions = [
    ...sizes.map((pages) => curveQuestion(whatIf, pages)),
    second,
  ].filter((each): each is NonNullable<typeof each> => each !== undefined);
  return (
    <CurvesPanel
      whatIf={whatIf}
      sizes={sizes}
      curves={curves}
      secondLevel={secondLevel}
      questions={questions}
      {...usePanelActions()}
    />
  );
}

export function SetsAndWays({ whatIf }: PartProps) {
  const question = surfaceQuestion(whatIf);
  return (
    <SurfacePanel
      whatIf={whatIf}
      question={question}
      asked={useAnswer(question)}
      {...usePanelActions()}
    />
  );
}

/** How far the survey of a trace's samples is: what it was asked for, and what is known so far. */
import type { SurveyReport } from "../../engine/generated/SurveyReport";
import type { Who } from "../../engine/generated/Who";

export interface SurveyProgress {
  readonly done: number;
  readonly total?: number;
}

/** Which samples count. */
export interface SurveyChoice {
  readonly who: Who;
  /** The number of an event in the list of the import; missing = all. */
  readonly event?: number;
}

export const ALL_SAMPLES: SurveyChoice = { who: "all" };

/** `report` is that of the survey before, of the same trace, until there is a newer one. */
export type SurveyState =
  | {
      readonly status: "running";
      readonly progress?: SurveyProgress;
      readonly report?: SurveyReport;
    }
  | { readonly status: "done"; readonly report: SurveyReport }
  | { readonly status: "cancelled"; readonly report?: SurveyReport }
  | {
      readonly status: "failed";
      readonly why: string;
      readonly report?: SurveyReport;
    };

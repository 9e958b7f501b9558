/** The progress of counting a trace's samples: the request, and the result so far. */
import type { SurveyReport } from "../../engine/generated/SurveyReport";
import type { Who } from "../../engine/generated/Who";

export interface SurveyProgress {
  readonly done: number;
  readonly total?: number;
}

/** The filter of samples. */
export interface SurveyChoice {
  readonly who: Who;
  /** The number of an event in the list of the import; missing = all events. */
  readonly event?: number;
}

const EACH_WHO: Readonly<Record<Who, true>> = {
  all: true,
  user: true,
  kernel: true,
};

/** The choices of samples by user and kernel. */
export const WHO = Object.keys(EACH_WHO) as readonly Who[];

export const ALL_SAMPLES: SurveyChoice = { who: "all" };

/** `report` is the previous one for the same trace, until a newer one is known. */
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

/** A survey of samples and its inputs. */
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { TraceView } from "../../engine/generated/TraceView";
import type { SurveyChoice } from "../../model/samples/state";

/** The inputs of a survey; where one of them differs, the survey is another one. */
export interface SurveySubject {
  readonly trace: TraceView;
  readonly machine: MachineConfig | undefined;
  readonly choice: SurveyChoice;
}

/** A survey that runs or is done; the screen shows only the newest. */
export interface SurveyTask {
  readonly subject: SurveySubject;
  readonly abort: AbortController;
}

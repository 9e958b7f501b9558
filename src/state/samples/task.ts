/** A task that counts samples, with its inputs. */
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { TraceView } from "../../engine/generated/TraceView";
import type { SurveyChoice } from "../../model/samples/state";

/** The inputs of the task; another input needs another task. */
export interface SurveySubject {
  readonly trace: TraceView;
  readonly machine: MachineConfig | undefined;
  readonly choice: SurveyChoice;
}

/** A task in progress or done; the screen shows only the newest. */
export interface SurveyTask {
  readonly subject: SurveySubject;
  readonly abort: AbortController;
}

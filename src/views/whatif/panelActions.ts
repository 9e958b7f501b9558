/** What the panels of the what-if screen can do. */
import type { Question } from "../../engine/generated/Question";
import type { Asked, WhatIfView } from "../../model/whatif/questions";
import type { SweepSetup } from "../../model/whatif/sweep";
import type { WhatIf } from "../../model/whatif/whatIf";

type Changed = Pick<SweepSetup, "machine" | "os">;

export interface PanelActions {
  /** Tries a machine. */
  readonly onChange: (to: Changed) => void;
  /** Opens a machine as a replay. */
  readonly onOpen: (to: Changed) => void;
  /** Changes what the screen shows. */
  readonly onChoose: (part: Partial<Omit<WhatIfView, "change">>) => void;
  readonly onCancel: (questions: readonly Question[]) => void;
  readonly onAgain: (questions: readonly Question[]) => void;
}

/** A panel over the answer to one question. */
export interface AnswerProps<
  Q extends Question | undefined,
  A,
> extends PanelActions {
  readonly whatIf: WhatIf;
  readonly question: Q;
  readonly asked: Asked<A> | undefined;
}

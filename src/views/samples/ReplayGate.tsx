/** Shown instead of the replay or a comparison if the trace is sampled, until the user asks for it anyway. */
import type { TraceView } from "../../engine/generated/TraceView";
import {
  completenessMeaning,
  completenessWord,
} from "../../model/import/traceText";
import { Consecutive } from "./Consecutive";
import "./samples.css";

export interface ReplayGateProps {
  readonly trace: TraceView;
  /** The link to the screen that shows the samples. */
  readonly samples: string;
  readonly onReplay: () => void;
}

export function ReplayGate({ trace, samples, onReplay }: ReplayGateProps) {
  const { completeness, format, part } = trace.import;
  return (
    <section className="samples-empty" aria-label="Not a stream of accesses">
      <h2>
        These are samples, not a stream of accesses{" "}
        <b className="samples-tag">
          {completenessWord(completeness, format, part)}
        </b>
      </h2>
      <p>{completenessMeaning(completeness, format, part)}</p>
      <p>
        <a className="btn primary" href={samples}>
          See the samples
        </a>
      </p>
      <Consecutive nAccesses={trace.n_accesses} onReplay={onReplay} />
    </section>
  );
}

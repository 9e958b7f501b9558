/** A loop that the user writes: the code on the left, the result of its last run on the right. */
import { count, counted } from "../../model/shared/format";
import { LOOP_LIMITS } from "../../model/loop/loop";
import type { LoopCode } from "../../model/loop/loop";
import type { LoopExample } from "../../model/loop/examples";
import { ProgressBar } from "../shared/Progress";
import { Editor } from "./Editor";
import { LoopFiles } from "./LoopFiles";
import { LoopHelp } from "./LoopHelp";
import { LoopOutcome } from "./LoopOutcome";
import type { LoopOutcomeProps } from "./LoopOutcome";
import "./loop.css";

export interface LoopPageProps extends LoopOutcomeProps {
  readonly examples: readonly LoopExample[];
  /** The modifier key of the run shortcut, before Enter. */
  readonly runKey: string;
  readonly onEdit: (part: Partial<LoopCode>) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

export function LoopPage(props: LoopPageProps) {
  const { loop, examples, runKey, onEdit, onRun, onCancel } = props;
  const { run } = loop;
  const problem = run?.status === "failed" ? run.problem : undefined;
  const isRunning = run?.status === "running";
  return (
    <div className="loop" data-testid="loop">
      <section className="loop-code" aria-label="Code">
        <div className="loop-bar">
          <select
            className="field"
            aria-label="Example"
            value=""
            onChange={(event) => {
              const found = examples.find(
                ({ id }) => id === event.target.value,
              );
              if (found) onEdit({ name: found.name, code: found.code });
            }}
          >
            <option value="">Examples</option>
            {examples.map(({ id, name, about }) => (
              <option key={id} value={id}>
                {name}: {about}
              </option>
            ))}
          </select>
          <input
            className="field loop-name"
            aria-label="Name of the trace"
            maxLength={80}
            value={loop.name}
            onChange={(event) => onEdit({ name: event.target.value })}
          />
          <span className="spacer" />
          <LoopFiles loop={loop} onEdit={onEdit} />
          {isRunning ? (
            <button type="button" className="btn" onClick={onCancel}>
              Cancel
            </button>
          ) : (
            <button
              type="button"
              className="btn primary"
              title={`Run (${runKey}+Enter)`}
              onClick={onRun}
            >
              Run
            </button>
          )}
        </div>
        <div className="loop-progress" aria-live="polite">
          {isRunning ? (
            <ProgressBar
              label={`Running: ${counted(run.accesses, "access", "accesses")}`}
              done={run.accesses}
            />
          ) : null}
        </div>
        <Editor
          label="Code of the loop"
          value={loop.code}
          wrong={problem?.line}
          onChange={(code) => onEdit({ code })}
          onRun={onRun}
        />
        {loop.isTooLong ? (
          <p className="loop-long t2" role="status">
            The code is too long for a link. Save it as a file to share it.
          </p>
        ) : null}
        {problem ? (
          <p className="loop-problem" role="alert">
            {problem.line === undefined ? null : <b>Line {problem.line}. </b>}
            {problem.message}
          </p>
        ) : null}
        <LoopHelp
          most={`${count(LOOP_LIMITS.accesses)} accesses, ${LOOP_LIMITS.seconds} seconds`}
          linked={loop.packed !== undefined}
        />
      </section>
      <section className="loop-result" aria-label="Last run">
        <LoopOutcome {...props} />
      </section>
    </div>
  );
}

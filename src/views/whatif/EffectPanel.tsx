/** The effect of the changes on the whole trace, what it means, and what to do next. */
import type { ReactNode } from "react";
import { count } from "../../model/shared/format";
import { changeText, shortCount } from "../../model/whatif/effect";
import type { EffectRow } from "../../model/whatif/effect";
import { ModelNumber } from "../shared/Quantity";
import { TraceTag } from "../shared/TraceTag";

export interface EffectPanelProps {
  readonly rows: readonly EffectRow[];
  /** The counted part of the trace: `all accesses`. */
  readonly counted: string;
  /** The changes in words; `undefined` if there are none. */
  readonly changes: string | undefined;
  /** The switch of the interval, and the interval. */
  readonly interval: ReactNode;
  readonly verdict: ReactNode;
  readonly isRunning: boolean;
  readonly problem: string | undefined;
  readonly canUndo: boolean;
  readonly onOpen: () => void;
  readonly onUndo: () => void;
  readonly onReset: () => void;
}

const MODEL =
  "L2 lookups × their latency, plus the overhead of every walk and the latency of the cache that served each reference. Translations are taken one after the other; a real core overlaps them.";

export function EffectPanel(props: EffectPanelProps) {
  const { rows, changes, verdict, isRunning, problem } = props;
  return (
    <section
      className="wi-effect"
      aria-label="Effect"
      data-running={isRunning || undefined}
    >
      <p className="wi-effect-head">
        <span className="t2">
          {changes ?? `Unchanged machine, ${props.counted}`}
        </span>{" "}
        <TraceTag />
        <span className="spacer" />
        {changes ? (
          <button type="button" className="btn quiet" onClick={props.onReset}>
            Reset
          </button>
        ) : null}
      </p>
      <table className="wi-effect-table">
        <caption className="sr-only">Before and after the changes</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">quantity</th>
            <th scope="col">before</th>
            <td />
            <th scope="col">after</th>
            <th scope="col">change</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, before, after, model }) => (
            <tr key={label}>
              <th scope="row">
                {model ? (
                  <ModelNumber formula={MODEL}>{label}</ModelNumber>
                ) : (
                  label
                )}
              </th>
              <td className="mono">
                <Short n={before} />
              </td>
              <td className="t3" aria-hidden="true">
                {changes ? "→" : ""}
              </td>
              <td className="mono wi-strong">
                {changes ? <Short n={after} /> : ""}
              </td>
              <td className="wi-strong">
                {changes
                  ? after === before
                    ? "same"
                    : changeText(before, after)
                  : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {props.interval}
      {problem === undefined ? (
        <p className="wi-verdict" role="status">
          {verdict}
        </p>
      ) : (
        <p className="wi-verdict wi-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="wi-effect-buttons">
        <button
          type="button"
          className="btn primary"
          disabled={!changes || problem !== undefined}
          onClick={props.onOpen}
        >
          Open as a replay
        </button>
        <button
          type="button"
          className="btn"
          disabled={!props.canUndo}
          onClick={props.onUndo}
        >
          Undo <kbd>Ctrl Z</kbd>
        </button>
      </div>
    </section>
  );
}

/** A number that fits its column; its title has all digits. */
function Short({ n }: { readonly n: number | undefined }) {
  if (n === undefined) return "…";
  const text = shortCount(n);
  return <span title={text === count(n) ? undefined : count(n)}>{text}</span>;
}

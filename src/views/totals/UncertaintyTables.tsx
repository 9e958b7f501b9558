/** The interval of the cycles as a bar, and the assumed numbers by their effect. */
import type { UncertaintyReport } from "../../engine/generated/UncertaintyReport";
import { percent } from "../../model/shared/format";
import { intervalView } from "../../model/totals/uncertainty";
import type { Asked } from "../../model/whatif/questions";
import { ProgressBar } from "../shared/Progress";
import { RangeBar } from "../shared/RangeBar";
import "./uncertainty.css";

export interface UncertaintyTablesProps {
  /** Missing if the machine comes from no CPU model. */
  readonly asked: Asked<UncertaintyReport> | undefined;
  /** Whether the machine comes from a CPU model, whose numbers have marks. */
  readonly isModel: boolean;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
}

export function UncertaintyTables(props: UncertaintyTablesProps) {
  const { asked, isModel, onCancel, onAgain } = props;
  if (!isModel)
    return (
      <p className="t2 uncertainty">
        No number of this machine is marked as assumed. Choose a CPU at the top
        to see the interval of its cycles.
      </p>
    );
  if (asked?.status === "done") return <Interval report={asked.value} />;
  if (asked?.status === "failed" || asked?.status === "cancelled")
    return (
      <p role="alert" className="uncertainty">
        {asked.status === "failed" ? asked.why : "Cancelled."}{" "}
        <button type="button" className="btn" onClick={onAgain}>
          Simulate it
        </button>
      </p>
    );
  const done = asked?.status === "running" ? asked.done : 0;
  return (
    <div className="uncertainty">
      <ProgressBar
        label="Simulating other values of assumed numbers"
        done={done}
        total={1}
      />
      <p className="t2">
        Simulating other values of assumed numbers, one at a time …{" "}
        <span className="num">{percent(done)}</span>{" "}
        <button type="button" className="btn" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </div>
  );
}

function Interval({ report }: { readonly report: UncertaintyReport }) {
  const view = intervalView(report);
  return (
    <div className="uncertainty">
      <p>{view.sentence}</p>
      <RangeBar extent={view.extent} own={view.own} />
      <p className="t2">
        {view.driver === undefined ? (
          "No assumed number changes this run."
        ) : (
          <>
            <code>{view.driver}</code> has the largest effect.
          </>
        )}{" "}
        {view.overlap}
      </p>
      {view.rows.length > 0 ? (
        <div className="totals-scroll">
          <table aria-label="Assumed numbers by effect">
            <thead>
              <tr>
                <th scope="col">assumed number</th>
                <th scope="col">model</th>
                <th scope="col">instead</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {view.rows.map((row) => (
                <tr key={row.path}>
                  <th scope="row" title={row.reason}>
                    <code>{row.path}</code>
                  </th>
                  <td>{row.value}</td>
                  <td>
                    {row.ends.map((end) => (
                      <div key={end}>{end}</div>
                    ))}
                  </td>
                  <td className="uncertainty-cell">
                    <RangeBar extent={row.extent} own={view.own} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {view.without.length > 0 ? (
        <p className="t2 small">No effect: {view.without.join(", ")}.</p>
      ) : null}
      {view.leftOut.map((line) => (
        <p key={line} className="t2 small">
          Left out, {line}.
        </p>
      ))}
    </div>
  );
}

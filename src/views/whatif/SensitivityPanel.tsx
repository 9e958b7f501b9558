/** What walk cycles depend on: runs of the machine with one change each. */
import type { RunReport } from "../../engine/generated/RunReport";
import { count } from "../../model/shared/format";
import { changeText } from "../../model/whatif/effect";
import { sensitivityCsv } from "../../model/whatif/tables";
import { SavePicture } from "../shared/picture/SavePicture";
import { FitTable } from "./FitTable";
import type { Head } from "./FitTable";
import { Panel } from "./Panel";

const HEADS: readonly Head[] = [
  { text: "change" },
  { text: "refs", className: "number wi-minor" },
  {
    text: "walk cycles",
    className: "number",
    formula: "For each walk, its overhead and the latencies of its references.",
  },
  { text: "change", className: "number" },
];

export interface SensitivityRow {
  readonly name: string;
  readonly report: RunReport | undefined;
  /** Why its run failed. */
  readonly problem: string | undefined;
}

export interface SensitivityPanelProps {
  /** The run of the machine as configured. */
  readonly own: RunReport | undefined;
  /** A run per change. */
  readonly rows: readonly SensitivityRow[];
  /** A note on walkers that work at the same time. */
  readonly walkers: string | undefined;
}

export function SensitivityPanel({
  own,
  rows,
  walkers,
}: SensitivityPanelProps) {
  const title = "What walk cycles depend on";
  return (
    <Panel
      title={title}
      note="one change at a time, each a full run"
      controls={
        <SavePicture
          what={title}
          tables={[
            {
              csv: () =>
                sensitivityCsv([
                  { name: "as configured", report: own },
                  ...rows,
                ]),
            },
          ]}
        />
      }
    >
      <FitTable heads={HEADS} className="wi-wrapped">
        {rows.map((row) => (
          <SensitivityLine key={row.name} row={row} own={own} />
        ))}
      </FitTable>
      {walkers ? <p className="t2 small wi-advice">{walkers}</p> : null}
    </Panel>
  );
}

interface LineProps extends Pick<SensitivityPanelProps, "own"> {
  readonly row: SensitivityRow;
}

function SensitivityLine({ row: { name, report, problem }, own }: LineProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {problem !== undefined ? (
        <td colSpan={3} className="wi-problem">
          {problem}
        </td>
      ) : (
        <>
          <td className="number mono wi-minor">
            {report ? count(report.walks.refs) : "…"}
          </td>
          <td className="number mono">
            {report ? count(report.cycles.walk) : "…"}
          </td>
          <td className="number wi-strong">
            {report && own
              ? changeText(own.cycles.walk, report.cycles.walk)
              : "…"}
          </td>
        </>
      )}
    </tr>
  );
}

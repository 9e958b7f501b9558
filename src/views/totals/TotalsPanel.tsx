/** All counts of a run as tables: a drawer next to the pictures. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { RunReport } from "../../engine/generated/RunReport";
import { runTables } from "../../model/totals/tables";
import type { ReactNode } from "react";
import { Icon } from "../shared/Icon";
import { TraceTag } from "../shared/TraceTag";
import { CountTable } from "./CountTable";
import { Drawer } from "../shared/Drawer";
import "./totals.css";

export interface TotalsPanelProps {
  readonly report: RunReport;
  readonly machine: MachineView;
  /** The name of the file for the report. */
  readonly name: string;
  /** Whether the report belongs to a previous configuration. */
  readonly stale: boolean;
  /** Whether all but the first tables are folded at first. */
  readonly compact: boolean;
  /** A choice of other content, next to the title. */
  readonly choice?: ReactNode;
  /** Content shown instead of the tables. */
  readonly instead?: ReactNode;
  readonly onCite: () => void;
  readonly onClose: () => void;
}

/** The number of tables unfolded on a phone. */
const FIRST = 2;

export function TotalsPanel(props: TotalsPanelProps) {
  const { report, machine, name, stale, compact, onClose } = props;
  const { choice, instead, onCite } = props;
  const json = JSON.stringify(report, null, 2);
  return (
    <Drawer label="Totals of the run" className="totals" onClose={onClose}>
      <div className="totals-header">
        <h2>Totals of the run</h2>
        <TraceTag />
        {choice}
        <span className="spacer" />
        <button type="button" className="btn" onClick={onCite}>
          Cite
        </button>
        <a
          className="btn"
          download={`${name}.json`}
          href={`data:application/json,${encodeURIComponent(json)}`}
        >
          <Icon name="save" /> JSON
        </a>
        <button
          type="button"
          className="btn quiet icon"
          aria-label="Close"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className="totals-body" data-stale={stale || undefined}>
        {instead ??
          runTables(report, machine).map((table, at) => (
            <CountTable
              key={table.title}
              table={table}
              open={!compact || at < FIRST}
            />
          ))}
      </div>
    </Drawer>
  );
}

/** Page sizes compared: a run with each, in rows. */
import type { ReactNode } from "react";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { RunReport } from "../../engine/generated/RunReport";
import { count, mean, memorySize } from "../../model/shared/format";
import { perAccess } from "../../model/whatif/pages";
import type { PagesRow } from "../../model/whatif/pages";
import { pagesCsv } from "../../model/whatif/tables";
import { SavePicture } from "../shared/picture/SavePicture";
import type { SavePictureProps } from "../shared/picture/SavePicture";
import { FitTable } from "./FitTable";
import type { Head } from "./FitTable";
import { Panel } from "./Panel";
import "./pages.css";

const CYCLES =
  "L2 lookups × their latency, plus the overhead of each walk and the latencies of its references.";

const HEADS: readonly Head[] = [
  { text: "policy" },
  { text: "of", className: "wi-minor" },
  { text: "walks", className: "number" },
  { text: "refs", className: "number wi-least" },
  { text: "cy/access", className: "number", formula: CYCLES },
  { text: "change", className: "number wi-derived" },
  { text: "wasted", className: "number" },
  { text: "replay", isUnseen: true },
];

export interface PagesPanelRow extends PagesRow {
  /** Why its run failed. */
  readonly problem: string | undefined;
}

export interface PagesPanelProps {
  readonly rows: readonly PagesPanelRow[];
  /** Other tables that are saved with the picture. */
  readonly tables: NonNullable<SavePictureProps["tables"]>;
  /** What is known about the recorded pages; `undefined` if the replay does not have them. */
  readonly note: string | undefined;
  readonly onOpen: (os: OsConfig) => void;
  /** The content below the table. */
  readonly children: ReactNode;
}

export function PagesPanel(props: PagesPanelProps) {
  const { rows, children } = props;
  const title = "Page sizes compared";
  return (
    <Panel
      title={title}
      controls={
        <SavePicture
          what={title}
          tables={[
            { of: "page sizes", csv: () => pagesCsv(rows) },
            ...props.tables,
          ]}
        />
      }
    >
      <FitTable heads={HEADS}>
        {rows.map((row) => (
          <PagesLine
            key={row.choice.id}
            {...row}
            onOpen={() => props.onOpen(row.choice.os)}
          />
        ))}
      </FitTable>
      {props.note === undefined ? null : (
        <p className="t2 small">{props.note}</p>
      )}
      {children}
    </Panel>
  );
}

interface LineProps extends PagesPanelRow {
  readonly onOpen: () => void;
}

function PagesLine({ choice, report, change, problem, onOpen }: LineProps) {
  const isOwn = choice.id === "now";
  const cell = (text: string) => (report ? text : "…");
  return (
    <tr data-own={isOwn || undefined}>
      <th scope="row">{choice.name}</th>
      <td className="t2 wi-minor">{choice.about}</td>
      {problem !== undefined ? (
        <td colSpan={5} className="wi-problem">
          {problem}
        </td>
      ) : (
        <>
          <td className="number mono">
            {cell(count(report?.walks.walks ?? 0))}
          </td>
          <td className="number mono wi-least">
            {cell(count(report?.walks.refs ?? 0))}
          </td>
          <td className="number mono">
            {report ? mean(perAccess(report)) : "…"}
          </td>
          <td className="number wi-strong wi-derived">{cell(change)}</td>
          <td className="number t2">{cell(wasteText(report))}</td>
        </>
      )}
      <td className="number">
        {isOwn ? null : (
          <button
            type="button"
            className="btn quiet"
            data-no-picture=""
            aria-label={`Open ${choice.name} as a replay`}
            onClick={onOpen}
          >
            Replay
          </button>
        )}
      </td>
    </tr>
  );
}

/** Empty if the value was not counted. */
function wasteText(report: RunReport | undefined): string {
  const bytes = report?.memory.waste_bytes;
  return bytes === undefined ? "–" : memorySize(bytes);
}

/** Simulated numbers next to numbers derived on paper and published ones, folded under their title and tally. */
import { Fragment } from "react";
import type { ResultTable } from "../../engine/generated/ResultTable";
import type { Source } from "../../engine/generated/Source";
import { comparedTable } from "../../model/experiments/comparison";
import type {
  ComparedRow,
  ComparedTable,
  Figure,
  Judgement,
} from "../../model/experiments/comparison";
import { tableCsv } from "../../model/experiments/resultCsv";
import { tallyText } from "../../model/experiments/state";
import { fileName } from "../../model/shared/csv";
import { counted } from "../../model/shared/format";
import { useCsvFile } from "../shared/csvFile";
import { Download } from "../shared/Download";
import { StateMark } from "./StateMark";
import { VerdictIcon } from "./VerdictIcon";
import "../shared/stacked.css";
import "./comparison.css";

export interface ComparisonTableProps {
  /** The id of the experiment, for file names. */
  readonly id: string;
  readonly table: ResultTable;
  readonly sources: readonly Source[];
}

export function ComparisonTable({ id, table, sources }: ComparisonTableProps) {
  const csvFile = useCsvFile();
  const compared = comparedTable(table, sources);
  const { title, cases, rows, formula, has } = compared;
  return (
    <details className="comparison stacked">
      <summary>
        <h3>{title}</h3>
        <span className="t2 small">
          <StateMark tables={[table]} />
          {counted(rows.length, "row")}: {tallyText({ tables: [table] })}
        </span>
      </summary>
      <div className="comparison-head">
        <span className="spacer" />
        <Download
          label="CSV"
          what={title}
          file={`${fileName(id, title)}.csv`}
          make={() => csvFile(tableCsv(table))}
        />
      </div>
      <table aria-label={title}>
        <thead>
          <tr>
            {cases.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">quantity</th>
            {has.simulated ? (
              <th scope="col" className="number">
                simulated
              </th>
            ) : null}
            {COLUMNS.map(({ column, head, from }) =>
              has[column] ? (
                <Fragment key={column}>
                  <th
                    scope="col"
                    className={column === "derived" ? "number" : undefined}
                  >
                    {head}
                    {column === "derived" && formula !== undefined ? (
                      <span className="comparison-more t3">{formula}</span>
                    ) : null}
                  </th>
                  {has.difference[column] ? (
                    <th
                      scope="col"
                      className="number"
                      title={`difference of the simulated number from the ${head} one, or its change from the other case`}
                    >
                      {from}
                    </th>
                  ) : null}
                </Fragment>
              ) : null,
            )}
            {has.judgements ? <th scope="col">verdict</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have a fixed order and no unique name.
            <TableRow key={at} row={row} table={compared} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

const COLUMNS = [
  { column: "derived", head: "derived", from: "from derived" },
  { column: "published", head: "published", from: "from published" },
  {
    column: "expectation",
    head: "our expectation",
    from: "from expectation",
  },
] as const;

interface TableRowProps {
  readonly row: ComparedRow;
  readonly table: ComparedTable;
}

function TableRow({ row, table: { cases, has } }: TableRowProps) {
  const starts = row.cases.some((cell) => cell !== undefined);
  return (
    <tr data-starts={starts || undefined}>
      {row.cases.map((cell, at) =>
        cell ? (
          <th
            key={cases[at]}
            scope={cell.span > 1 ? "rowgroup" : "row"}
            rowSpan={cell.span}
            className="comparison-case"
          >
            {cell.text}
          </th>
        ) : null,
      )}
      <td className="comparison-quantity">
        <span className="comparison-heading t2">{row.heading}</span>
        {row.quantity}{" "}
        {row.unit === "" ? null : <span className="t3">{row.unit}</span>}
        {row.hypothesis === undefined ? null : (
          <span className="comparison-note t2 small">
            Hypothesis: {row.hypothesis}
          </span>
        )}
        {row.note === undefined ? null : (
          <span className="comparison-note t2 small">{row.note}</span>
        )}
      </td>
      {has.simulated ? (
        <td className="number nowrap" data-label="simulated" title={row.exact}>
          {row.simulated === undefined ? null : <b>{row.simulated}</b>}
        </td>
      ) : null}
      {COLUMNS.map(({ column, head, from }) =>
        has[column] ? (
          <Fragment key={column}>
            <FigureCell
              label={head}
              figure={row[column]}
              isNumber={column === "derived"}
            />
            {has.difference[column] ? (
              <td className="number t2 comparison-difference" data-label={from}>
                {row[column]?.difference}
              </td>
            ) : null}
          </Fragment>
        ) : null,
      )}
      {has.judgements ? (
        <td className="comparison-agrees">
          {row.judgements.map((judgement) => (
            <Judged key={judgement.text} {...judgement} />
          ))}
        </td>
      ) : null}
    </tr>
  );
}

interface FigureCellProps {
  readonly label: string;
  readonly figure: Figure | undefined;
  readonly isNumber: boolean;
}

function FigureCell({ label, figure, isNumber }: FigureCellProps) {
  return (
    <td
      className={isNumber ? "number" : "comparison-figure"}
      data-label={label}
    >
      {figure?.text}
      {figure?.more === undefined ? null : (
        <span className="comparison-more t3 small">{figure.more}</span>
      )}
      {figure?.source ? (
        <span className="comparison-more t3 small" title={figure.at}>
          <Cited source={figure.source} />
        </span>
      ) : null}
    </td>
  );
}

function Cited({ source: { id, title, url } }: { readonly source: Source }) {
  return url === undefined ? (
    id
  ) : (
    <a href={url} title={title} target="_blank" rel="noreferrer">
      {id}
    </a>
  );
}

function Judged({ verdict, text }: Judgement) {
  return (
    <div>
      <VerdictIcon verdict={verdict} />
      {verdict === "differs" ? <b>{text}</b> : text}
    </div>
  );
}

/** Simulated numbers next to calculated ("on paper") and published ones. */
import type { ResultTable } from "../../engine/generated/ResultTable";
import { comparedTable } from "../../model/experiments/comparison";
import type {
  Agreement,
  ComparedRow,
  ComparedTable,
  Figure,
} from "../../model/experiments/comparison";
import { fileName, tableCsv } from "../../model/shared/csv";
import { Icon } from "../shared/Icon";
import { Download } from "../shared/Download";
import "../shared/stacked.css";
import "./comparison.css";

export interface ComparisonTableProps {
  /** The id of the experiment, for file names. */
  readonly id: string;
  readonly table: ResultTable;
}

export function ComparisonTable({ id, table }: ComparisonTableProps) {
  const compared = comparedTable(table);
  const { title, cases, rows, formula, has } = compared;
  return (
    <section className="comparison stacked">
      <div className="comparison-head">
        <h3>{title}</h3>
        <span className="spacer" />
        <Download
          label="CSV"
          what={title}
          file={`${fileName(id, title)}.csv`}
          make={() => new Blob([tableCsv(table)], { type: "text/csv" })}
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
            <th scope="col" className="number">
              simulated
            </th>
            {has.paper ? (
              <th scope="col" className="number">
                on paper
                {formula === undefined ? null : (
                  <span className="comparison-more t3">{formula}</span>
                )}
              </th>
            ) : null}
            {has.fromPaper ? <DifferenceHead from="paper" /> : null}
            {has.published ? (
              <th scope="col" className="number">
                published
              </th>
            ) : null}
            {has.fromPublished ? <DifferenceHead from="published" /> : null}
            {has.agreements ? <th scope="col">agrees</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have a fixed order and no unique name.
            <TableRow key={at} row={row} table={compared} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
        {row.note === undefined ? null : (
          <span className="comparison-note t2 small">{row.note}</span>
        )}
      </td>
      <td className="number nowrap" data-label="simulated" title={row.exact}>
        <b>{row.simulated}</b>
      </td>
      {has.paper ? <FigureCell label="on paper" figure={row.paper} /> : null}
      {has.fromPaper ? (
        <td className="number nowrap t2" data-label="from paper">
          {row.fromPaper}
        </td>
      ) : null}
      {has.published ? (
        <FigureCell label="published" figure={row.published} />
      ) : null}
      {has.fromPublished ? (
        <td className="number nowrap t2" data-label="from published">
          {row.fromPublished}
        </td>
      ) : null}
      {has.agreements ? (
        <td className="comparison-agrees">
          {row.agreements.map((agreement) => (
            <Agrees key={agreement.how} {...agreement} />
          ))}
        </td>
      ) : null}
    </tr>
  );
}

/** The header of the difference between the simulated number and the previous column. */
function DifferenceHead({ from }: { readonly from: "paper" | "published" }) {
  return (
    <th
      scope="col"
      className="number"
      title={`difference between the simulated number and the ${from === "paper" ? "one on paper" : "published one"}`}
    >
      from {from}
    </th>
  );
}

interface FigureCellProps {
  readonly label: string;
  readonly figure: Figure | undefined;
}

function FigureCell({ label, figure }: FigureCellProps) {
  return (
    <td className="number" data-label={label}>
      {figure?.text}
      {figure?.more === undefined ? null : (
        <span className="comparison-more t3 small">{figure.more}</span>
      )}
    </td>
  );
}

function Agrees({ agrees, how }: Agreement) {
  return (
    <div>
      <Icon name={agrees ? "check" : "close"} size={13} />
      {agrees ? how : <b>not {how}</b>}
    </div>
  );
}

/** Simulated numbers beside those on paper and those published. */
import type { ResultTable } from "../../engine/generated/ResultTable";
import { comparedTable } from "../../model/comparison";
import type {
  Agreement,
  ComparedRow,
  ComparedTable,
  Figure,
} from "../../model/comparison";
import { fileName, tableCsv } from "../../model/csv";
import { Icon } from "../shared/Icon";
import { Download } from "./Download";

export interface ComparisonTableProps {
  /** Of the experiment, for names of files. */
  readonly id: string;
  readonly table: ResultTable;
}

export function ComparisonTable({ id, table }: ComparisonTableProps) {
  const compared = comparedTable(table);
  const { title, cases, rows, formula, has } = compared;
  return (
    <section className="comparison">
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
            {has.published ? (
              <th scope="col" className="number">
                published
              </th>
            ) : null}
            {has.difference ? (
              <th scope="col" className="number">
                difference
              </th>
            ) : null}
            {has.agreement ? <th scope="col">agrees</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have a fixed order and no name of their own.
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
      {has.published ? (
        <FigureCell label="published" figure={row.published} />
      ) : null}
      {has.difference ? (
        <td className="number nowrap" data-label="difference">
          <DifferenceText row={row} isMixed={has.published && has.paper} />
        </td>
      ) : null}
      {has.agreement ? (
        <td className="comparison-agrees">
          <Agrees agreement={row.agreement} />
        </td>
      ) : null}
    </tr>
  );
}

interface DifferenceTextProps {
  readonly row: ComparedRow;
  /** Some differ from published numbers and some from those on paper. */
  readonly isMixed: boolean;
}

function DifferenceText({ row, isMixed }: DifferenceTextProps) {
  const { difference } = row;
  if (!difference) return null;
  return (
    <>
      {difference.text}
      {isMixed && difference.from === "published" ? (
        <span className="comparison-more t3 small">to published</span>
      ) : null}
    </>
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

function Agrees({ agreement }: { readonly agreement: Agreement | undefined }) {
  if (!agreement) return null;
  const { agrees, how } = agreement;
  return (
    <>
      <Icon name={agrees ? "check" : "close"} size={13} />
      {agrees ? how : <b>not {how}</b>}
    </>
  );
}

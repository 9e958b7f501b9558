/** The counts of both sides with their differences; values that differ are bold. */
import {
  differenceText,
  numberText,
  shareText,
} from "../../model/compare/totals";
import type { ComparedRow } from "../../model/compare/totals";
import { comparedColumns } from "../../model/compare/totals";
import { dataTableCsv } from "../../model/shared/dataTable";
import { Download } from "../shared/Download";
import { useCsvFile } from "../shared/csvFile";
import { TraceTag } from "../shared/TraceTag";

export interface ComparedTableProps {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
  /** The names of both sides, for the CSV file. */
  readonly left: string;
  readonly right: string;
  readonly file: string;
}

/** The number of rows shown; the CSV file has all rows. */
const MOST = 24;

export function ComparedTable(props: ComparedTableProps) {
  const { title, rows, left, right, file } = props;
  const csvFile = useCsvFile();
  const make = () => csvFile(dataTableCsv(comparedColumns(left, right), rows));
  return (
    <section className="compare-table" aria-label={title}>
      <div className="compare-table-head">
        <h3>{title}</h3>
        <TraceTag />
        <span className="spacer" />
        <Download label="CSV" what={title} file={`${file}.csv`} make={make} />
      </div>
      <div
        className="edge-hint"
        role="group"
        aria-label={`${title} of both sides`}
        // The table scrolls in a narrow box.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">left</th>
              <th scope="col">right</th>
              <th scope="col">right − left</th>
              <td className="compare-share" />
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST).map((row) => (
              <Row key={`${row.what} ${row.help ?? ""}`} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MOST ? (
        <p className="t2 small">
          The CSV file has {rows.length - MOST} more rows.
        </p>
      ) : null}
    </section>
  );
}

function Row({ row }: { readonly row: ComparedRow }) {
  const { what, left, right, help, model = false } = row;
  const differs = left !== right;
  return (
    <tr className={differs ? "differs" : undefined}>
      <th scope="row" title={help}>
        {what}
        {model ? <span className="t3"> model</span> : null}
      </th>
      <td>{numberText(left, row)}</td>
      <td>{numberText(right, row)}</td>
      <td className="compare-difference">
        {differenceText(row)}
        {/* On a phone the share is below the counts. */}
        <span className="compare-share-below t2">{shareText(row)}</span>
      </td>
      <td className="compare-share t2">{shareText(row)}</td>
    </tr>
  );
}

/**
 * A table that sorts by a click on a header, unfolds to its end, and saves as CSV. It is our own: the table of
 * react-aria-components is a grid with cells that take the focus, and readers of numbers need a plain HTML table.
 */
import { useRef } from "react";
import type { ReactNode } from "react";
import {
  dataTableCsv,
  inOrder,
  leftOutText,
  nextOrder,
  orderText,
  readOrder,
} from "../../model/shared/dataTable";
import type { Column, Order } from "../../model/shared/dataTable";
import { counted } from "../../model/shared/format";
import { useChosen, useSwitch } from "./choices";
import { useCsvFile } from "./csvFile";
import { Download } from "./Download";
import { Icon } from "./Icon";
import { useFit } from "./useFit";
import "./controls.css";
import "./dataTable.css";

export interface DataTableProps<R> {
  /** The id of the table in links. */
  readonly id: string;
  readonly title: string;
  readonly columns: readonly Column<R>[];
  /** The rows in their initial order. */
  readonly rows: readonly R[];
  /** The unique key of a row. */
  readonly keyOf: (row: R) => string;
  /** The selection column, before the first column. */
  readonly lead?: {
    /** The header for screen readers, not drawn. */
    readonly head: string;
    readonly of: (row: R) => ReactNode;
  };
  /** A picture in each row, after the first column. */
  readonly picture?: {
    readonly head: string;
    readonly of: (row: R) => ReactNode;
    /** The rank of the picture, as in columns. */
    readonly rank?: number;
    /** The name of the picture if it is left out and has no header. */
    readonly word?: string;
    /** A legend above the table, shown as long as the picture is. */
    readonly legend?: ReactNode;
  };
  /** The key of the replay's own row. */
  readonly current?: string;
  /** Additional columns of the CSV file. */
  readonly fileColumns?: readonly Column<R>[];
  /** The name of the CSV file without its extension. */
  readonly file: string;
  /** Facts about all rows: additional CSV columns by header. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The number of rows shown at first; missing = as many as fit a panel. */
  readonly short?: number;
  /** Buttons next to the one that saves the CSV file. */
  readonly downloads?: ReactNode;
  /** Ids of the columns in the monospace font: addresses. */
  readonly mono?: readonly string[];
}

/** The id of the picture among the columns. */
const PICTURE = "picture";

/** The default number of rows shown at first. */
const SHORT = 12;

export function DataTable<R>(props: DataTableProps<R>) {
  const { id, title, columns, rows, keyOf, file, facts } = props;
  const { short = SHORT } = props;
  const [sort, setSort] = useChosen(`${id}.sort`);
  const order = readOrder(sort, columns);
  const box = useRef<HTMLDivElement>(null);
  const gone = useFit(box, [
    ...columns.map(({ id, rank }) => ({
      id,
      // The column that the table is sorted by stays visible.
      rank: id === order?.column ? undefined : rank,
    })),
    { id: PICTURE, rank: props.picture?.rank },
  ]);
  const fitting = columns.filter(({ id }) => !gone.has(id));
  const picture = gone.has(PICTURE) ? undefined : props.picture;
  const heads = columns
    .filter(({ id }) => gone.has(id))
    .map(({ head }) => head);
  const { head = "", word = head } = props.picture ?? {};
  const out = leftOutText(gone.has(PICTURE) ? [...heads, word] : heads);
  const [isLong, setIsLong] = useSwitch(`${id}.all`);
  const all = inOrder(rows, columns, order);
  const shown = isLong ? all : all.slice(0, short);
  const more = rows.length - short;
  const csvFile = useCsvFile();
  const make = () =>
    csvFile(
      dataTableCsv([...columns, ...(props.fileColumns ?? [])], all),
      facts,
    );
  return (
    <div className="data-table">
      {picture?.legend}
      <div
        ref={box}
        className="data-table-scroll edge-hint"
        role="region"
        aria-label={title}
        // The table scrolls sideways in a narrow box.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table aria-label={title}>
          <thead>
            <tr>
              {props.lead ? (
                <th scope="col">
                  <span className="visually-hidden">{props.lead.head}</span>
                </th>
              ) : null}
              {fitting.map((column, at) => (
                <Heads
                  key={column.id}
                  column={column}
                  order={order}
                  onOrder={(next) => setSort(orderText(next))}
                  picture={at === 0 && picture ? picture : undefined}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row
                key={keyOf(row)}
                row={row}
                {...props}
                columns={fitting}
                picture={picture}
                isCurrent={keyOf(row) === props.current}
              />
            ))}
          </tbody>
        </table>
      </div>
      {out === "" ? null : <p className="t2 small">{out}</p>}
      <div className="data-table-foot">
        {more > 0 ? (
          <button
            type="button"
            className="btn quiet small"
            aria-expanded={isLong}
            onClick={() => setIsLong(!isLong)}
          >
            <Icon name={isLong ? "chevron-up" : "chevron"} size={12} />
            {isLong
              ? `Only ${counted(short, "row")}`
              : counted(more, "more row")}
          </button>
        ) : null}
        <span className="spacer" />
        {props.downloads}
        <Download label="CSV" what={title} file={`${file}.csv`} make={make} />
      </div>
    </div>
  );
}

interface HeadsProps<R> {
  readonly column: Column<R>;
  readonly order: Order | undefined;
  readonly onOrder: (order: Order) => void;
  /** The picture of the same table. */
  readonly picture: DataTableProps<R>["picture"];
}

function Heads<R>({ column, order, onOrder, picture }: HeadsProps<R>) {
  const { id, head, help, isNumber = false } = column;
  const direction = order?.column === id ? order.direction : undefined;
  return (
    <>
      <th
        scope="col"
        className={isNumber ? "number" : undefined}
        aria-sort={direction ?? "none"}
      >
        <button
          type="button"
          className="data-table-head"
          title={help}
          onClick={() => onOrder(nextOrder(column, order))}
        >
          {head}
          <span className="data-table-arrow" aria-hidden="true">
            {direction ? (
              <Icon
                name={direction === "ascending" ? "chevron-up" : "chevron"}
                size={11}
              />
            ) : null}
          </span>
        </button>
      </th>
      {picture ? (
        <th scope="col">
          {picture.head || (
            <span className="visually-hidden">{picture.word}</span>
          )}
        </th>
      ) : null}
    </>
  );
}

interface RowProps<R> extends Pick<
  DataTableProps<R>,
  "columns" | "lead" | "mono"
> {
  readonly picture: DataTableProps<R>["picture"] | undefined;
  readonly row: R;
  readonly isCurrent: boolean;
}

function Row<R>(props: RowProps<R>) {
  const { row, isCurrent, columns, lead, picture, mono = [] } = props;
  return (
    <tr aria-current={isCurrent ? "true" : undefined}>
      {lead ? <td className="data-table-lead">{lead.of(row)}</td> : null}
      {columns.map(({ id, text, more, isNumber = false }, at) => {
        const face = mono.includes(id) ? "mono" : undefined;
        const words = text(row);
        if (at > 0)
          return (
            <td
              key={id}
              className={isNumber ? "number" : "data-table-words"}
              title={isNumber ? undefined : words}
            >
              <span className={face}>{words}</span>
              <More text={more?.(row)} />
            </td>
          );
        return [
          <th key={id} scope="row" className="data-table-words" title={words}>
            <span className={face}>{words}</span>
            <More text={more?.(row)} />
          </th>,
          ...(picture
            ? [
                <td key="picture" className="data-table-picture">
                  {picture.of(row)}
                </td>,
              ]
            : []),
        ];
      })}
    </tr>
  );
}

function More({ text = "" }: { readonly text?: string | undefined }) {
  if (text === "") return null;
  return <span className="data-table-more">{text}</span>;
}

/**
 * Misses by region, page, data structure, instruction, line or symbol: one sortable table at a time. A row shows its accesses in the
 * timeline. Call paths are a picture.
 */
import { Suspense, lazy } from "react";
import type { AttributionView } from "../../engine/generated/AttributionView";
import {
  attributionCsv,
  attributionOrder,
  attributionRows,
  columnsOf,
  restRows,
  sameFilter,
  tablesOf,
} from "../../model/attribution/rows";
import { orderText } from "../../model/shared/dataTable";
import type {
  AttributionBy,
  AttributionFilter,
  ColumnId,
  ShownRow,
} from "../../model/attribution/rows";
import { useChoice, useChosen, useSwitch } from "../shared/choices";
import { SavePicture } from "../shared/picture/SavePicture";
import { ProgressBar } from "../shared/Progress";
import { Segmented } from "../shared/Segmented";
import "../shared/controls.css";
import "../shared/stacked.css";
import "./attribution.css";

/** Few traces have call paths. */
const CallGraph = lazy(() =>
  import("./CallGraph").then((module) => ({ default: module.CallGraph })),
);

export interface AttributionTablesProps {
  /** `undefined` while misses are being counted. */
  readonly view: AttributionView | undefined;
  readonly progress:
    { readonly done: number; readonly total?: number | undefined } | undefined;
  /** The rows that the timeline is limited to; `undefined` = no limit. */
  readonly filter: AttributionFilter | undefined;
  readonly onFilter: (filter: AttributionFilter | undefined) => void;
}

/** The number of rows shown at first: few users read hundreds. */
const FIRST = 50;

export function AttributionTables(props: AttributionTablesProps) {
  const { view, progress, filter, onFilter } = props;
  const tabs = view ? tabsOf(view) : [];
  const [by = "regions", setBy] = useChoice<AttributionBy | "calls">(
    "breakdown.by",
    tabs.map(({ value }) => value),
  );
  const [sort, setSort] = useChosen("breakdown.sort");
  const { column, rising } = attributionOrder(sort);
  const [all, setAll] = useSwitch("breakdown.all");
  if (!view)
    return (
      <div aria-live="polite">
        <ProgressBar
          label="Counting"
          done={progress?.done ?? 0}
          total={progress?.total}
        />
        <p className="t2 attribution-note">
          Pagewalk counts misses by region, page, data structure, instruction
          and line.
        </p>
      </div>
    );
  const head = (
    <Segmented label="By" choices={tabs} value={by} onChange={setBy} />
  );
  if (by === "calls")
    return (
      <div className="attribution">
        <div className="attribution-head">{head}</div>
        <Suspense>
          <CallGraph view={view} filter={filter} onFilter={onFilter} />
        </Suspense>
      </div>
    );
  const rows = attributionRows(view, by, column, rising);
  const shown = all ? rows : rows.slice(0, FIRST);
  const columns = columnsOf(view);
  const words = columns.slice(1).map(({ word }) => word);
  const sortBy = (id: ColumnId) => {
    const direction = (id === column ? !rising : id === "name")
      ? "ascending"
      : "descending";
    setSort(orderText({ column: id, direction }));
  };
  return (
    <div className="attribution">
      <div className="attribution-head">
        {head}
        {filter ? (
          <button
            type="button"
            className="btn quiet"
            onClick={() => onFilter(undefined)}
          >
            Show everything in the timeline
          </button>
        ) : (
          <span className="t2 small">
            click a row to show only its accesses in the timeline
          </span>
        )}
        <SavePicture
          what={`Misses by ${by}`}
          hasPicture={false}
          tables={[{ csv: () => attributionCsv(view, by, column, rising) }]}
        />
      </div>
      <div className="attribution-scroll stacked edge-hint">
        <table aria-label={`Misses by ${by}`}>
          <thead>
            <tr>
              {columns.map(({ id, word, help }) => (
                <th
                  key={id}
                  scope="col"
                  aria-sort={
                    id === column
                      ? rising
                        ? "ascending"
                        : "descending"
                      : undefined
                  }
                >
                  <button type="button" title={help} onClick={() => sortBy(id)}>
                    {id === "name" ? SINGULAR[by] : word}
                    <span aria-hidden="true">
                      {id === column ? (rising ? " ↑" : " ↓") : ""}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row
                key={row.key}
                row={row}
                isSelected={sameFilter(filter, row.filter)}
                words={words}
                onFilter={onFilter}
              />
            ))}
            {all || rows.length <= FIRST
              ? restRows(view, by).map(({ name, cells }) => (
                  <tr key={name} className="t2">
                    <th scope="row">{name}</th>
                    {cells.map((cell, at) => (
                      <td key={at} data-label={words[at]}>
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))
              : null}
          </tbody>
        </table>
      </div>
      {rows.length > FIRST ? (
        <button type="button" className="btn" onClick={() => setAll(!all)}>
          {all ? `The first ${FIRST}` : `All ${rows.length} rows`}
        </button>
      ) : null}
    </div>
  );
}

/** The tables, and the call paths of a trace that has them. */
function tabsOf(view: AttributionView) {
  const calls = { value: "calls", label: "call path" } as const;
  return [...tablesOf(view), ...(view.calls.nodes.length > 0 ? [calls] : [])];
}

const SINGULAR: Readonly<Record<AttributionBy, string>> = {
  regions: "region",
  pages: "page",
  objects: "data structure",
  instructions: "instruction",
  lines: "line",
  symbols: "symbol",
};

interface RowProps {
  readonly row: ShownRow;
  readonly isSelected: boolean;
  /** The words of the columns after the name. */
  readonly words: readonly string[];
  readonly onFilter: (filter: AttributionFilter | undefined) => void;
}

function Row({ row, isSelected, words, onFilter }: RowProps) {
  const { name, more, isAddress, cells, filter } = row;
  return (
    <tr data-selected={isSelected || undefined}>
      <th scope="row">
        <button
          type="button"
          aria-pressed={isSelected}
          title={`Show only ${filter.label} in the timeline`}
          onClick={() => onFilter(isSelected ? undefined : filter)}
        >
          <span className={isAddress ? "mono" : undefined}>{name}</span>
          <span className="attribution-more t2">{more}</span>
        </button>
      </th>
      {cells.map((cell, at) => (
        <td key={at} data-label={words[at]}>
          {cell}
        </td>
      ))}
    </tr>
  );
}

import { useState } from "react";
import { Icon } from "../shared/Icon";
import { Explained } from "../shared/Quantity";
import type { TotalsRow, TotalsTable } from "../../model/totals/rows";

export interface CountTableProps {
  readonly table: TotalsTable;
  /** Whether the table is unfolded at first. */
  readonly open: boolean;
}

/** A table of counts that can be folded. */
export function CountTable({ table, open }: CountTableProps) {
  const [isOpen, setIsOpen] = useState(open);
  const { title, columns, rows } = table;
  const hasHeads = columns.some((column) => column !== "");
  return (
    <section className="totals-section">
      <h3>
        <button
          type="button"
          className="totals-fold"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? "chevron" : "chevron-right"} size={14} />
          {title}
        </button>
      </h3>
      {isOpen ? (
        <div className="totals-scroll">
          <table aria-label={title}>
            {hasHeads ? (
              <thead>
                <tr>
                  <td />
                  {columns.map((column, at) =>
                    column === "" ? (
                      <td key={at} />
                    ) : (
                      <th key={at} scope="col">
                        {column}
                      </th>
                    ),
                  )}
                </tr>
              </thead>
            ) : null}
            <tbody>
              {rows.map((row, at) => (
                <Row key={at} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}

const CYCLE_MODEL =
  "L2 lookups × their latency, plus the overhead of each walk and the latency of each reference";

function Row({ row }: { readonly row: TotalsRow }) {
  const { label, cells, help, model = false } = row;
  const content = [...(model ? [CYCLE_MODEL] : []), ...(help ? [help] : [])];
  return (
    <tr>
      <th scope="row">
        {content.length === 0 ? (
          label
        ) : (
          <Explained content={content.join(". ")} model={model}>
            {label}
          </Explained>
        )}
      </th>
      {cells.map((cell, at) => (
        <td key={at}>{cell}</td>
      ))}
    </tr>
  );
}

/** A table that scrolls inside its panel. The panel draws its rows. */
import type { ReactNode } from "react";
import { ModelNumber } from "../shared/Quantity";

export interface Head {
  readonly text: string;
  /** How the model computes the numbers of the column. */
  readonly formula?: string;
  readonly className?: string;
  /** For screen readers only. */
  readonly isUnseen?: boolean;
}

export interface FitTableProps {
  readonly heads: readonly Head[];
  readonly className?: string;
  readonly label?: string;
  readonly children: ReactNode;
}

export function FitTable(props: FitTableProps) {
  const { heads, className = "", label, children } = props;
  return (
    <div className="wi-fit edge-hint">
      <table className={`wi-table ${className}`} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={at} scope="col" className={head.className}>
                <HeadText {...head} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function HeadText({ text, formula, isUnseen }: Head) {
  if (isUnseen) return <span className="sr-only">{text}</span>;
  if (formula === undefined) return text;
  return <ModelNumber formula={formula}>{text}</ModelNumber>;
}

/** The picture that stands for a result: a chart, or bars of a table if the experiment has no chart. */
import type { Chart } from "../../engine/generated/Chart";
import type { ExperimentResult } from "../../engine/generated/ExperimentResult";
import type { ResultTable } from "../../engine/generated/ResultTable";
import type { Row } from "../../engine/generated/Row";

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly published: number | undefined;
}

export interface Bars {
  /** The table of the bars. */
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

export type ResultPicture =
  | { readonly kind: "chart"; readonly chart: Chart }
  | { readonly kind: "bars"; readonly bars: Bars };

/** More bars say less at the size of a card. */
const MOST_BARS = 4;

/** Prefers a chart with published numbers, then any chart, then a table with published numbers, then any table. */
export function pictureOf({
  charts,
  tables,
}: ExperimentResult): ResultPicture | undefined {
  const chart =
    charts.find(({ series }) =>
      series.some(({ kind }) => kind === "published"),
    ) ?? charts[0];
  if (chart) return { kind: "chart", chart };
  const table =
    tables.find(({ rows }) => rows.some(isCompared)) ??
    tables.find(({ rows }) => rows.some(isSimulated));
  return table && { kind: "bars", bars: barsOf(table) };
}

const isSimulated = ({ simulated }: Row) => simulated !== undefined;
const isCompared = (row: Row) =>
  isSimulated(row) && row.published?.value !== undefined;

/** The first rows that have one unit. */
function barsOf({ title, rows }: ResultTable): Bars {
  const first = rows.find(isCompared) ?? rows.find(isSimulated);
  const unit = first?.unit ?? "";
  const shown = rows
    .filter((row) => row.unit === unit && isSimulated(row))
    .slice(0, MOST_BARS);
  // A column with one value in all rows tells no rows apart.
  const varies = (column: number) =>
    new Set(shown.map((row) => row.case[column])).size > 1;
  return {
    title,
    unit,
    bars: shown.map((row) => ({
      label: [...row.case.filter((_, at) => varies(at)), row.quantity].join(
        ", ",
      ),
      value: row.simulated ?? 0,
      published: row.published?.value,
    })),
  };
}

/** The answer's first sentence, for a card. Dots inside numbers end no sentence. */
export function firstSentence(answer: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(answer)?.[0] ?? answer;
}

/** Tables and charts of an experiment as CSV. */
import type { Chart } from "../../engine/generated/Chart";
import type { ResultTable } from "../../engine/generated/ResultTable";
import { csv } from "../shared/csv";
import { COLUMNS } from "./comparison";

export function tableCsv({ cases, rows }: ResultTable): string {
  const head = [
    "quantity",
    "unit",
    "simulated",
    "derived",
    "published",
    "published error",
  ];
  const more = ["published as", "source", "place", "expectation"];
  return csv([
    [
      ...cases,
      ...head,
      ...more,
      ...COLUMNS.map((name) => `verdict on ${name}`),
      "deviation from published",
      "hypothesis",
      "note",
    ],
    ...rows.map((row) => [
      ...row.case,
      row.quantity,
      row.unit,
      row.simulated,
      row.derived?.value ?? row.derived?.text,
      row.published?.value,
      row.published?.error,
      row.published?.text,
      row.published?.cited?.source,
      row.published?.cited?.at,
      row.expectation?.text,
      ...COLUMNS.map((name) => row[name]?.verdict),
      row.published?.deviation,
      row.hypothesis,
      row.note,
    ]),
  ]);
}

/** One line per point. */
export function chartCsv({ x, y, series }: Chart): string {
  const hasErrors = series.some(({ errors }) => errors);
  return csv([
    ["series", "kind", x.label, y.label, ...(hasErrors ? ["error"] : [])],
    ...series.flatMap(({ name, kind, points, errors }) =>
      points.map(([at, value], nth) => [
        name,
        kind,
        at,
        value,
        ...(hasErrors ? [errors?.[nth]] : []),
      ]),
    ),
  ]);
}

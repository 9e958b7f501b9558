/** The measured curve and that of a model, as a chart. */
import type { Chart } from "../../engine/generated/Chart";
import type { ChaseFit } from "../../engine/generated/ChaseFit";
import type { ChaseReport } from "../../engine/generated/ChaseReport";

/** The name of a model's curve in links and pickers. */
export const fitId = ({ cpu, nested }: ChaseFit): string =>
  nested ? `${cpu}+ept` : cpu;

export const fitName = ({ name, nested }: ChaseFit): string =>
  nested ? `${name} in a virtual machine` : name;

/** The logarithmic axis has no 0, so 1 is added to all costs. */
const PLUS = 1;

/** Cycles if the clock is known, or else nanoseconds without a model. */
export function measureChart(
  report: ChaseReport,
  fit: ChaseFit | undefined,
  everyPage?: ChaseReport,
): Chart {
  const { clock, curve, simulated, levels, page, stride } = report;
  const factor = clock?.ghz ?? 1;
  const shown = (ns: number) => Math.max(0, ns * factor) + PLUS;
  const points = (of: (cost: (typeof curve)[number]) => number) =>
    curve.map((cost): [number, number] => [cost.pages, shown(of(cost))]);
  return {
    title: "Cost of one translation",
    x: {
      label: `Pages of ${page}${stride > 1 ? `, 1 of every ${stride}` : ""}, one load in each`,
      scale: "log2",
    },
    y: { label: `${clock ? "Cycles" : "Nanoseconds"} + 1`, scale: "log10" },
    series: [
      {
        name: "measured, least",
        kind: "simulated",
        points: points(({ ns }) => ns),
      },
      {
        name: "three fourths of the rounds are below",
        kind: "simulated",
        points: points(({ high }) => high),
      },
      ...(everyPage && stride > 1
        ? [
            {
              name: "every page, measured, least",
              kind: "simulated" as const,
              points: everyPage.curve.map(({ pages, ns }): [number, number] => [
                pages,
                Math.max(0, ns * (clock ? (everyPage.clock?.ghz ?? 1) : 1)) +
                  PLUS,
              ]),
            },
          ]
        : []),
      ...(fit
        ? [
            {
              name: fitName(fit),
              kind: "simulated" as const,
              points: simulated.map((pages, at): [number, number] => [
                pages,
                (fit.cycles[at] ?? 0) + PLUS,
              ]),
            },
          ]
        : []),
    ],
    marks: levels.map(({ reach: [from, to] }) => ({
      x: from,
      label: [...new Set([from, to])]
        .map((pages) => pages.toLocaleString("en"))
        .join("–"),
    })),
  };
}

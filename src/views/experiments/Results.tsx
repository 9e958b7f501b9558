/** An experiment's results: answer, picture, tables that unfold, and what the simulation leaves out. */
import type { ExperimentResult } from "../../engine/generated/ExperimentResult";
import { pictureOf } from "../../model/experiments/picture";
import { ChartFigure } from "../shared/chart/ChartFigure";
import { BarPicture } from "./BarPicture";
import { ComparisonTable } from "./ComparisonTable";
import { Words } from "./Words";

export function Results({ result }: { readonly result: ExperimentResult }) {
  const { id, answer, tables, charts, differences, corrections, sources } =
    result;
  const picture = pictureOf(result);
  return (
    <>
      <p className="experiment-answer">
        <Words text={answer} />
      </p>
      <div className="experiment-charts">
        {picture?.kind === "bars" ? (
          <figure className="chart">
            <figcaption className="chart-head">
              <h3>{picture.bars.title}</h3>
            </figcaption>
            <BarPicture bars={picture.bars} />
          </figure>
        ) : (
          charts.map((chart) => (
            <ChartFigure key={chart.title} id={id} chart={chart} />
          ))
        )}
      </div>
      {tables.map((table) => (
        <ComparisonTable
          key={table.title}
          id={id}
          table={table}
          sources={sources}
        />
      ))}
      <Sentences title="What the simulation leaves out" texts={differences} />
      <Sentences title="Corrections to the publication" texts={corrections} />
    </>
  );
}

interface SentencesProps {
  readonly title: string;
  readonly texts: readonly string[];
}

function Sentences({ title, texts }: SentencesProps) {
  if (texts.length === 0) return null;
  return (
    <section className="experiment-notes">
      <h3>{title}</h3>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <Words text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Runs as bars, one below the other: where their translations end, and what those cost. */
import { runBars, runBarsCsv } from "../../model/compare/runBars";
import type { BarPart, BarRun } from "../../model/compare/runBars";
import { OutcomeLegend } from "../shared/Legend";
import { useOutcomeWord } from "../shared/outcomeWords";
import { hatch } from "../shared/Patterns";
import { SavePicture } from "../shared/picture/SavePicture";
import "./runBars.css";

export interface RunBarsProps {
  readonly title: string;
  readonly runs: readonly BarRun[];
}

const COSTS = { "l1-hit": "", "l2-hit": "L2 lookups", walk: "walks" } as const;

export function RunBars({ title, runs }: RunBarsProps) {
  const outcomeWord = useOutcomeWord();
  return (
    <section className="run-bars" aria-label={title} data-picture="">
      <div className="compare-part-head">
        <h3>{title}</h3>
        <OutcomeLegend
          outcomes={["l1-hit", "l2-hit", "walk"]}
          words={{ walk: "walk or page fault" }}
        />
        <span className="spacer" />
        <SavePicture what={title} tables={[{ csv: () => runBarsCsv(runs) }]} />
      </div>
      <table aria-label={title}>
        <thead>
          <tr>
            <td />
            <th scope="col">translations</th>
            <th scope="col" className="number">
              miss L1
            </th>
            <th scope="col">L2 and walk cycles, a model</th>
            <th scope="col" className="number">
              per access
            </th>
          </tr>
        </thead>
        <tbody>
          {runBars(runs).map(({ name, ends, missing, costs, cost }, at) => (
            <tr key={at}>
              <th scope="row" title={name}>
                {name}
              </th>
              <td>
                <Bar parts={ends} wordOf={outcomeWord} isWhole />
              </td>
              <td className="number">{missing}</td>
              <td>
                <Bar parts={costs} wordOf={(outcome) => COSTS[outcome]} />
              </td>
              <td className="number">{cost}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface BarProps {
  readonly parts: readonly BarPart[];
  readonly wordOf: (outcome: BarPart["outcome"]) => string;
  /** Whether the parts fill the width. */
  readonly isWhole?: boolean;
}

const HEIGHT = 14;

function Bar({ parts, wordOf, isWhole = false }: BarProps) {
  const words = parts.map(({ outcome, text }) => `${wordOf(outcome)} ${text}`);
  const percent = (share: number) => `${share * 100}%`;
  return (
    <svg
      className="run-bar"
      width="100%"
      height={HEIGHT}
      role="img"
      aria-label={words.join(", ")}
    >
      <title>{words.join(", ")}</title>
      {parts.map(({ outcome, from, share }) =>
        share > 0 ? (
          <rect
            key={outcome}
            x={percent(from)}
            width={percent(share)}
            height={HEIGHT}
            fill={hatch(outcome)}
          />
        ) : null,
      )}
      {isWhole ? (
        <rect className="run-bar-frame" width="100%" height={HEIGHT} />
      ) : (
        <line className="run-bar-base" y2={HEIGHT} />
      )}
    </svg>
  );
}

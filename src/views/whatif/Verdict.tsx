/** The verdict on huge pages, and the ways to get them. The words come from the analysis, as on the command line. */
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import { CommandLine } from "../shared/CommandLine";
import "./advice.css";

export interface VerdictProps {
  readonly advice: Pick<
    HugeAdvice,
    "verdict" | "no_verdict" | "remedies" | "useless_ways" | "unreached"
  >;
}

export function Verdict({ advice }: VerdictProps) {
  const { verdict, no_verdict: reason, remedies } = advice;
  const { useless_ways: uselessWays, unreached } = advice;
  if (!verdict && reason === undefined) return null;
  return (
    <div className="wi-advice">
      <p>{verdict?.text ?? reason}</p>
      {verdict ? (
        <details className="small">
          <summary>What this assumes</summary>
          <ul>
            {verdict.assumed.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      ) : null}
      {remedies.length > 0 ? (
        <details className="small">
          <summary>Ways to get the huge pages, each alone</summary>
          <ul>
            {remedies.map(({ by, of, text, commands }) => (
              <li key={`${by} ${commands.join()}`}>
                {of}: {text}
                {commands.map((command) => (
                  <CommandLine
                    key={command}
                    text={command}
                    what={`huge pages for ${of}`}
                  />
                ))}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {uselessWays === undefined ? null : (
        <p className="t2 small">{uselessWays}</p>
      )}
      {unreached === undefined ? null : <p className="t2 small">{unreached}</p>}
    </div>
  );
}

/** The page "How we know": each statement with a known answer, its source, and what the simulator gives. */
import type { ReactNode } from "react";
import limits from "../../../docs/limits.md?raw";
import type { OracleInfo } from "../../engine/generated/OracleInfo";
import type { OracleResult } from "../../engine/generated/OracleResult";
import { BASES, resultText, sumText } from "../../model/experiments/oracles";
import type { OracleState } from "../../model/experiments/oracles";
import { sections } from "../../model/experiments/sections";
import { ProgressBar } from "../shared/Progress";
import { VerdictIcon } from "./VerdictIcon";
import "./experiments.css";
import "./know.css";

export interface KnowPageProps {
  /** Empty or `undefined` until they are loaded. */
  readonly oracles: readonly OracleInfo[] | undefined;
  readonly states: Readonly<Record<number, OracleState>>;
  readonly listAddress: string;
}

export function KnowPage({ oracles = [], states, listAddress }: KnowPageProps) {
  const done = oracles.filter(({ number }) => states[number]).length;
  return (
    <article className="know">
      <p className="small">
        <a href={listAddress}>All experiments</a>
      </p>
      <h2 className="experiment-title" tabIndex={-1}>
        How we know
      </h2>
      <p className="know-lead">
        Most answers do not come from this program: a manual states them, a book
        prints them, or they follow on paper. A few are our own expectation, or
        numbers that the models copy from a source; their statements say so.
        Your browser has just run the simulator against them.
      </p>
      <p role="status" className="know-sum">
        {oracles.length === 0
          ? "Loading the statements…"
          : sumText(oracles, states)}
      </p>
      {done < oracles.length ? (
        <ProgressBar label="Checks" done={done} total={oracles.length} />
      ) : null}
      <ol className="know-list">
        {oracles.map((info) => (
          <Statement
            key={info.number}
            info={info}
            state={states[info.number]}
          />
        ))}
      </ol>
      <Limits />
    </article>
  );
}

interface StatementProps {
  readonly info: OracleInfo;
  readonly state: OracleState | undefined;
}

function Statement({ info, state }: StatementProps) {
  const { number, claim, basis, source, url } = info;
  return (
    <li id={`O${number}`} data-testid={`oracle-${number}`}>
      <span className="know-number t3">O{number}</span>
      <div>
        <p>{claim}</p>
        <p className="small t2">
          {BASES[basis]}:{" "}
          {url === undefined ? source : <a href={url}>{source}</a>}
        </p>
        {state?.status === "done" ? <Checks result={state.result} /> : null}
        {state?.status === "failed" ? (
          <p className="small">The checks could not run: {state.why}</p>
        ) : null}
      </div>
    </li>
  );
}

function Checks({ result }: { readonly result: OracleResult }) {
  return (
    <details open={!result.agrees}>
      <summary className="small">
        <VerdictIcon verdict={result.agrees ? "agrees" : "differs"} />{" "}
        {resultText(result)}
      </summary>
      <div className="know-checks">
        <table>
          <thead>
            <tr>
              <th scope="col">Check</th>
              <th scope="col">Known answer</th>
              <th scope="col">Simulated</th>
            </tr>
          </thead>
          <tbody>
            {result.checks.map(
              ({ name, expected, within, got, agrees, url }) => (
                <tr key={name} data-differs={agrees ? undefined : true}>
                  <td>{url === undefined ? name : <a href={url}>{name}</a>}</td>
                  <td className="mono">
                    {expected}
                    {within === undefined ? "" : ` ± ${within}`}
                  </td>
                  <td className="mono">
                    {got}
                    {agrees ? "" : " (differs)"}
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Limits(): ReactNode {
  const [title, ...rest] = sections(limits);
  return (
    <section aria-labelledby="limits">
      <h3 id="limits">{title?.title}</h3>
      {rest.map(({ title, items }) => (
        <section key={title}>
          <h4>{title}</h4>
          <ul>
            {items.map(({ lead, text }) => (
              <li key={lead}>
                <strong>{lead}</strong> {text}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

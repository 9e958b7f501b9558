/** What the file is that was just imported, what it holds, and what it cannot tell. */
import type { ReactNode } from "react";
import type { TraceView } from "../../engine/generated/TraceView";
import { count, memorySize } from "../../model/format";
import {
  completenessMeaning,
  completenessWord,
  pagesTouched,
  toolName,
  webWords,
} from "../../model/traceText";
import { Icon } from "../shared/Icon";
import { Sentence } from "./Sentence";
import "./import.css";

export interface ImportSummaryProps {
  readonly trace: TraceView;
  readonly onClose: () => void;
}

export function ImportSummary({ trace, onClose }: ImportSummaryProps) {
  const report = trace.import;
  const skipped = report.skipped.reduce((sum, { count }) => sum + count, 0);
  return (
    <section
      className="message import-summary"
      aria-label={`Imported ${trace.name}`}
      data-testid="import-summary"
    >
      <div className="message-text">
        <h2 className="mono">{trace.name}</h2>
        <p className="t2">
          {toolName(report.format)},{" "}
          {completenessWord(report.completeness, report.format)}:{" "}
          {completenessMeaning(report.completeness, report.format)}
        </p>
        <table className="import-facts">
          <tbody>
            <Fact name="records">{count(report.records)}</Fact>
            <Fact name="accesses">
              {count(report.accesses)}
              <span className="t2">
                {" "}
                {count(trace.fetch)} fetches, {count(trace.load)} loads,{" "}
                {count(trace.store)} stores
              </span>
            </Fact>
            <Fact name="4K pages">
              {count(pagesTouched(trace))}
              <span className="t2">
                {" "}
                {count(report.pages_4k.fetch)} code,{" "}
                {count(report.pages_4k.data)} data
              </span>
            </Fact>
            {report.skipped.map(({ reason, count: n }) => (
              <Fact key={reason} name="skipped">
                {count(n)} <span className="t2">{reason}</span>
              </Fact>
            ))}
            {skipped === 0 ? <Fact name="skipped">nothing</Fact> : null}
            <Fact name="in memory">{memorySize(trace.retained_bytes)}</Fact>
          </tbody>
        </table>
        {report.warnings.map((warning) => (
          <p key={warning} className="import-warning">
            <Sentence text={webWords(warning)} />
          </p>
        ))}
      </div>
      <button
        type="button"
        className="btn quiet icon"
        aria-label="Close"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

function Fact({ name, children }: FactProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  );
}

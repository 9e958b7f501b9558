/** The format of the imported file, what it contains, and what it cannot show. */
import type { ReactNode } from "react";
import type { Sampling } from "../../engine/generated/Sampling";
import type { TraceView } from "../../engine/generated/TraceView";
import { count, counted, memorySize } from "../../model/shared/format";
import { toolName, warningText } from "../../model/import/formats";
import {
  completenessMeaning,
  completenessWord,
  FIRST_TOUCHES,
  isNamed,
  pagesTouched,
  withAddress,
} from "../../model/import/traceText";
import { Icon } from "../shared/Icon";
import { Sentence } from "./Sentence";
import "./import.css";

export interface ImportSummaryProps {
  readonly trace: TraceView;
  /** Whether the summary is part of a screen that already describes the file. */
  readonly isInPage?: boolean;
  readonly onClose: () => void;
  /** Opens the import form again, to read the file with other choices. */
  readonly onAgain?: (() => void) | undefined;
}

export function ImportSummary(props: ImportSummaryProps) {
  const { trace, isInPage = false, onClose, onAgain } = props;
  const { format, completeness, part, guessed, records, warnings } =
    trace.import;
  return (
    <section
      className="message import-summary"
      aria-label={`Imported ${trace.name}`}
      data-testid="import-summary"
    >
      <div className="message-text">
        {isInPage ? (
          // The details are folded, since the page itself describes the file.
          <details>
            <summary>
              {counted(records, "record")} read, and what was skipped
            </summary>
            <Facts trace={trace} />
          </details>
        ) : (
          <>
            <h2 className="mono">{trace.name}</h2>
            <p className="t2">
              {toolName(format)},{" "}
              {completenessWord(completeness, format, part, guessed)}:{" "}
              {completenessMeaning(completeness, format, part, guessed)}
            </p>
            <Facts trace={trace} />
          </>
        )}
        {onAgain ? (
          <button type="button" className="btn import-again" onClick={onAgain}>
            Import with other choices…
          </button>
        ) : null}
        {warnings.map(warningText).map((text) => (
          <p key={text} className="import-warning">
            <Sentence text={text} />
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

function Facts({ trace }: Pick<ImportSummaryProps, "trace">) {
  const report = trace.import;
  const accesses = withAddress(report);
  return (
    <table className="import-facts">
      <tbody>
        <Fact name="records">{count(report.records)}</Fact>
        <Fact name={report.sampling ? "with an address" : "accesses"}>
          {count(accesses)}
          {accesses > 0 ? (
            <span className="t2">
              {" "}
              {counted(trace.fetch, "fetch", "fetches")},{" "}
              {counted(trace.load, "load")}, {counted(trace.store, "store")}
            </span>
          ) : null}
        </Fact>
        {accesses > 0 ? (
          <Fact name="4K pages">
            {count(pagesTouched(trace))}
            <span className="t2">
              {" "}
              {count(report.pages_4k.fetch)} code, {count(report.pages_4k.data)}{" "}
              data
            </span>
          </Fact>
        ) : null}
        {report.sampling ? <SamplingFacts of={report.sampling} /> : null}
        {report.skipped.map(({ reason, count: n }) => (
          <Fact key={reason} name="skipped">
            {count(n)} <span className="t2">{reason}</span>
          </Fact>
        ))}
        {report.skipped.length === 0 ? (
          <Fact name="skipped">no data</Fact>
        ) : null}
        {report.left_out === undefined ? null : (
          <Fact name="left out">
            {count(report.left_out)}{" "}
            <span className="t2">not in your selection</span>
          </Fact>
        )}
        <Fact name="in memory">{memorySize(trace.retained_bytes)}</Fact>
      </tbody>
    </table>
  );
}

/** How the samples were taken, and what the processor measured. */
function SamplingFacts({ of }: { readonly of: Sampling }) {
  const { events, lost, kernel, guest, faults, flushes = [], tlb } = of;
  const walks = tlb.walk;
  const known = tlb.l1 + tlb.l2 + tlb.no_walk + walks;
  return (
    <>
      {events.filter(isNamed).map(({ name, period, frequency, samples }) => (
        <Fact key={name} name="samples">
          {count(samples)}{" "}
          <span className="t2">
            {name}
            {period !== null ? `, one of ${count(period)}` : null}
            {frequency !== null ? `, ${count(frequency)} a second` : null}
          </span>
        </Fact>
      ))}
      {faults > 0 ? (
        <Fact name="page faults">
          {count(faults)} <span className="t2">{FIRST_TOUCHES}</span>
        </Fact>
      ) : null}
      {flushes.map(({ reason, count: n }) => (
        <Fact key={reason} name="TLB flushes">
          {count(n)} <span className="t2">{reason}, not simulated</span>
        </Fact>
      ))}
      {lost > 0 ? <Fact name="lost">{count(lost)}</Fact> : null}
      {kernel > 0 ? <Fact name="by the kernel">{count(kernel)}</Fact> : null}
      {guest > 0 ? <Fact name="in guests">{count(guest)}</Fact> : null}
      {known > 0 ? (
        <Fact name="measured walks">
          {count(walks)}{" "}
          <span className="t2">
            of {counted(known, "sample")} with a known TLB level
          </span>
        </Fact>
      ) : null}
    </>
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

/** Counters of a real machine: their source on the left, what they show on the right. */
import type { EventFamily } from "../../engine/generated/EventFamily";
import type { FamilyName } from "../../engine/generated/FamilyName";
import type { Measured } from "../../engine/generated/Measured";
import { ProgressBar } from "../shared/Progress";
import type { StatExample } from "../../model/measured/examples";
import { Examples } from "./Examples";
import { FamilyPicker } from "./FamilyPicker";
import { MeasuredResults } from "./MeasuredResults";
import { RecordCommands } from "./RecordCommands";
import { SourceForm } from "./SourceForm";
import "../shared/splitPage.css";
import "../shared/stacked.css";
import "./measured.css";

/** The text that was given, and the result of reading it. */
export interface Given {
  readonly name: string;
  readonly text: string;
  readonly family: EventFamily | undefined;
  readonly view: Measured | undefined;
  readonly problem: string | undefined;
  /** The example that it is, if it is not the user's. */
  readonly example: StatExample | undefined;
}

export interface MeasuredPageProps {
  readonly given: Given | undefined;
  readonly families: readonly FamilyName[];
  /** The simulated run to compare with, in words. */
  readonly run: string | undefined;
  /** The link to that run. */
  readonly replayAddress: string;
  /** The vendor of the simulated machine, whose commands are shown first. */
  readonly vendor: "intel" | "amd" | "arm" | "any";
  readonly examples: readonly StatExample[];
  readonly onText: (text: string) => void;
  readonly onFile: (file: File) => void;
  readonly onExample: (example: StatExample) => void;
  readonly onFamily: (family: EventFamily | undefined) => void;
  readonly onClear: () => void;
}

export function MeasuredPage(props: MeasuredPageProps) {
  const { given, families, run, replayAddress, vendor, examples } = props;
  const { onText, onFile, onExample, onFamily, onClear } = props;
  const view = given?.view;
  const example = given?.example;
  const own = given && !example ? given : undefined;
  const isReading = given !== undefined && !view && given.problem === undefined;
  return (
    <div className="measured split-page stacked" data-testid="measured">
      <section className="split-text" aria-label="What was measured">
        <h2>Measured</h2>
        <p className="measured-intro">
          What perf stat counted on a real machine, compared with what the
          simulator counts.
        </p>
        <SourceForm
          // A new text starts with an empty form.
          key={own?.text ?? ""}
          text={own?.text ?? ""}
          onText={onText}
          onFile={onFile}
          onClear={own ? onClear : undefined}
        />
        {view ? (
          <FamilyPicker
            families={families}
            chosen={given.family}
            view={view}
            onChoose={onFamily}
          />
        ) : null}
        <div>
          <p className="t2">Compared with the run of</p>
          <p>
            {run === undefined ? (
              "no run yet: a trace is opening"
            ) : (
              <a href={replayAddress}>{run}</a>
            )}
          </p>
        </div>
      </section>
      <section
        className="split-results"
        aria-label="Results"
        aria-busy={isReading}
      >
        <div className="split-bar">
          {isReading ? <ProgressBar label="Reading" done={0} /> : null}
        </div>
        {given?.problem === undefined ? null : (
          <p className="measured-problem" role="alert">
            <b>{given.name}</b>: {given.problem}
          </p>
        )}
        {example ? (
          <p className="measured-example">
            <b>Example: {example.title}.</b> {example.about} It was measured on
            another machine, and another program. Paste your own output, drop
            its file anywhere, or open another example below.
          </p>
        ) : null}
        {view ? (
          <MeasuredResults name={given.name} view={view} run={run} />
        ) : null}
        {view && !example ? null : (
          <Examples examples={examples} shown={example} onOpen={onExample} />
        )}
        <RecordCommands key={vendor} vendor={vendor} />
      </section>
    </div>
  );
}

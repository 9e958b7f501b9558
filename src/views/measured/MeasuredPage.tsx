/** Counters of a real machine: where they come from at the left, what they say at the right. */
import type { EventFamily } from "../../engine/generated/EventFamily";
import type { FamilyName } from "../../engine/generated/FamilyName";
import type { Measured } from "../../engine/generated/Measured";
import { ProgressBar } from "../shared/Progress";
import { Examples } from "./Examples";
import type { StatExample } from "./Examples";
import { FamilyPicker } from "./FamilyPicker";
import { MeasuredResults } from "./MeasuredResults";
import { RecordCommands } from "./RecordCommands";
import { SourceForm } from "./SourceForm";
import "./measured.css";

/** What was given, and what came of it. */
export interface Given {
  readonly name: string;
  readonly text: string;
  readonly family: EventFamily | undefined;
  readonly view: Measured | undefined;
  readonly problem: string | undefined;
}

export interface MeasuredPageProps {
  readonly given: Given | undefined;
  readonly families: readonly FamilyName[];
  /** The run that stands beside, in words. */
  readonly run: string | undefined;
  /** The address of that run. */
  readonly replayAddress: string;
  /** Of the machine that is simulated: its commands are shown first. */
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
  const isReading = given !== undefined && !view && given.problem === undefined;
  return (
    <div className="measured" data-testid="measured">
      <section className="measured-text" aria-label="What was measured">
        <h2>Measured</h2>
        <p className="measured-intro">
          What perf stat counted on a real machine, and beside it what the
          simulator counts of the same.
        </p>
        <SourceForm
          // What is typed belongs to what was read.
          key={given?.text ?? ""}
          text={given?.text ?? ""}
          onText={onText}
          onFile={onFile}
          onClear={given ? onClear : undefined}
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
          <p className="t2">Beside the run of</p>
          <p>
            {run === undefined ? (
              "nothing yet: a trace is being opened"
            ) : (
              <a href={replayAddress}>{run}</a>
            )}
          </p>
        </div>
      </section>
      <section
        className="measured-results"
        aria-label="Results"
        aria-busy={isReading}
      >
        <div className="measured-bar">
          {isReading ? <ProgressBar label="Reading" done={0} /> : null}
        </div>
        {given?.problem === undefined ? null : (
          <p className="measured-problem" role="alert">
            <b>{given.name}</b>: {given.problem}
          </p>
        )}
        {view ? (
          <MeasuredResults name={given.name} view={view} run={run} />
        ) : given ? null : (
          <p className="measured-empty">
            Nothing measured yet. Paste what perf stat printed, drop its file
            anywhere, or open an example.
          </p>
        )}
        {view ? null : <Examples examples={examples} onOpen={onExample} />}
        <RecordCommands key={vendor} vendor={vendor} />
      </section>
    </div>
  );
}

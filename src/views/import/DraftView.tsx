/** A file before its import: what it is, how it is read, what of it is wanted. */
import type { Peek } from "../../engine/generated/Peek";
import { fileSize } from "../../model/shared/format";
import { peekProblem, taken } from "../../model/import/draft";
import type { Reading, Take } from "../../model/import/draft";
import { nothingToOpen, whatItIs } from "../../model/import/facts";
import { placed } from "../../model/shared/place";
import { webWords } from "../../model/import/traceText";
import { DraftFacts } from "./DraftFacts";
import { FirstRecords } from "./FirstRecords";
import { ReadingFields } from "./ReadingFields";
import { Sentence } from "./Sentence";
import { TakeFields } from "./TakeFields";
import "./draft.css";

export interface DraftViewProps {
  /** Bytes of the file. */
  readonly size: number;
  readonly reading: Reading;
  readonly take: Take;
  readonly peek: Peek | undefined;
  readonly isLooking: boolean;
  /** It is being imported. */
  readonly isBusy: boolean;
  /** Why an import of it failed. */
  readonly refused?: string | undefined;
  readonly onReading: (part: Reading) => void;
  readonly onTake: (part: Partial<Take>) => void;
  readonly onImport: () => void;
  /** To another file. */
  readonly onBack: () => void;
}

export function DraftView(props: DraftViewProps) {
  const { size, reading, take, peek, isLooking, isBusy, refused } = props;
  const problem = peek && peekProblem(peek);
  const wanted = taken(take);
  const report = peek?.report;
  const nothing = peek && !problem ? nothingToOpen(peek) : undefined;
  const cannot =
    report === undefined ||
    problem !== undefined ||
    nothing !== undefined ||
    "problems" in wanted;
  const why = refused ?? (problem ? problemText(problem) : nothing);
  return (
    <div className="draft" aria-busy={isLooking} data-testid="import-draft">
      <p className="t2 draft-what">
        {peek ? `${whatItIs(peek)} · ` : "Looking at it … "}
        {fileSize(size)}
      </p>
      {why !== undefined ? (
        <p className="problem" role="alert" data-testid="import-problem">
          <Sentence text={told(why)} />
        </p>
      ) : null}
      {peek ? (
        <div className="draft-body" data-unknown={!report || undefined}>
          {report ? (
            <div className="draft-side">
              <DraftFacts peek={peek} />
            </div>
          ) : null}
          <div className="draft-main">
            <FirstRecords peek={peek} />
            <ReadingFields
              peek={peek}
              reading={reading}
              onReading={props.onReading}
            />
            {report ? (
              <TakeFields peek={peek} take={take} onTake={props.onTake} />
            ) : null}
          </div>
        </div>
      ) : null}
      <div className="draft-foot">
        <span className="t2">
          The file stays on this computer. Nothing is uploaded.
        </span>
        <span className="spacer" />
        <button type="button" className="btn" onClick={props.onBack}>
          Another file
        </button>
        <button
          type="button"
          className="btn primary"
          disabled={cannot || isLooking || isBusy}
          onClick={props.onImport}
        >
          {importWord(peek)}
        </button>
      </div>
    </div>
  );
}

/** With its line or byte: that a field of this form is meant says the message. */
function problemText(problem: Peek["problem"]): string {
  if (!problem) return "";
  const { message, at } = problem;
  return placed(message, at && "field" in at ? undefined : at);
}

/** The core's messages go on after the name of the file. */
function told(message: string): string {
  return webWords(message.charAt(0).toUpperCase() + message.slice(1));
}

/** Samples are no stream. */
function importWord(peek: Peek | undefined): string {
  const completeness = peek?.report?.completeness ?? "complete";
  if (completeness === "complete") return "Import";
  return completeness === "first-touches"
    ? "Open the first touches"
    : "Open as a sample";
}

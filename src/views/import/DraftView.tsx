/** A file before its import: what it is, how to read it, and which part to import. */
import type { Peek } from "../../engine/generated/Peek";
import { fileSize } from "../../model/shared/format";
import { peekProblem, taken } from "../../model/import/draft";
import type { Reading, Take } from "../../model/import/draft";
import { nothingToOpen, whatItIs } from "../../model/import/facts";
import { placed } from "../../model/shared/place";
import { withRemedy } from "../../model/import/formats";
import { DraftFacts } from "./DraftFacts";
import { FirstRecords } from "./FirstRecords";
import { ReadingFields } from "./ReadingFields";
import { Sentence } from "./Sentence";
import { TakeFields } from "./TakeFields";
import "./draft.css";

export interface DraftViewProps {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly reading: Reading;
  readonly take: Take;
  readonly peek: Peek | undefined;
  readonly isLooking: boolean;
  /** Whether the file is being imported. */
  readonly isBusy: boolean;
  /** Why the last import of the file failed. */
  readonly rejected?: string | undefined;
  readonly onReading: (part: Reading) => void;
  readonly onTake: (part: Partial<Take>) => void;
  readonly onImport: () => void;
  /** Lets the user choose another file. */
  readonly onBack: () => void;
}

export function DraftView(props: DraftViewProps) {
  const { size, reading, take, peek, isLooking, isBusy, rejected } = props;
  const problem = peek && peekProblem(peek);
  const wanted = taken(take);
  const report = peek?.report;
  const nothing = peek && !problem ? nothingToOpen(peek) : undefined;
  const cannot =
    report === undefined ||
    problem !== undefined ||
    nothing !== undefined ||
    "problems" in wanted;
  const why = rejected ?? (problem ? problemText(problem) : nothing);
  return (
    <div className="draft" aria-busy={isLooking} data-testid="import-draft">
      <p className="t2 draft-what">
        {peek ? `${whatItIs(peek)} · ` : "Looking at it… "}
        {fileSize(size)}
      </p>
      {why !== undefined ? (
        <p className="problem" role="alert" data-testid="import-problem">
          <Sentence text={continued(why)} />
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

/** Adds the line or byte of the error. The form shows errors of its own fields at the fields. */
function problemText(problem: Peek["problem"]): string {
  if (!problem) return "";
  const { message, at, remedy } = problem;
  const text = withRemedy(message, remedy);
  return placed(text, at && "field" in at ? undefined : at);
}

/** Continues the core's message, which begins in lower case after the file name. */
function continued(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** A trace of samples opens as a sample, since samples are not consecutive accesses. */
function importWord(peek: Peek | undefined): string {
  const completeness = peek?.report?.completeness ?? "complete";
  if (completeness === "complete") return "Import";
  return completeness === "first-touches"
    ? "Open the first touches"
    : "Open as a sample";
}

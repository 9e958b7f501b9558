/** Students and their answers, one row for each line. */
import type { GradedAnswer } from "../../engine/generated/GradedAnswer";
import { askName } from "../../model/exercise/kinds";
import { studentRows } from "../../model/exercise/report";
import type { MistakeWords, StudentRow } from "../../model/exercise/report";
import type { Report } from "../../engine/generated/Report";
import { counted } from "../../model/shared/format";
import { Icon } from "../shared/Icon";

export interface GradeTableProps {
  readonly report: Report;
  /** The names of the page tables, the lowest level first. */
  readonly levels: readonly string[];
  readonly words: MistakeWords;
}

export function GradeTable({ report, levels, words }: GradeTableProps) {
  const rows = studentRows(report);
  const [first] = report.students;
  const heads = first?.answers.map(({ question }) => {
    const counts = report.questions[question - 1];
    return counts ? askName(counts.ask, levels) : "";
  });
  return (
    <div
      className="grade-scroll edge-hint"
      role="region"
      aria-label="Students and their answers"
      // The table scrolls sideways in a narrow window.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table className="grade-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Right</th>
            <th scope="col">From</th>
            {heads?.map((name, at) => (
              <th key={at} scope="col">
                Q{at + 1} <span>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.key} row={row} words={words} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  row: { student, same },
  words,
}: {
  readonly row: StudentRow;
  readonly words: MistakeWords;
}) {
  const { name, right, answers, label, file, line } = student;
  return (
    <tr>
      <th scope="row">
        {name}
        {same > 1 ? (
          <span className="grade-same">
            {counted(same, "line")} of this name
          </span>
        ) : null}
      </th>
      <td className="grade-score">
        {right} of {answers.length}
      </td>
      <td className="grade-from">
        {label === "" ? null : <span>{label}</span>}
        <span>
          {file}, line {line}
        </span>
      </td>
      {answers.map((answer, at) => (
        <td key={at}>
          <Answer answer={answer} words={words} />
        </td>
      ))}
    </tr>
  );
}

function Answer({
  answer,
  words,
}: {
  readonly answer: GradedAnswer;
  readonly words: MistakeWords;
}) {
  const { right, given, tries, mistake, answer: wanted } = answer;
  const isEmpty = given.trim() === "";
  return (
    <div className="grade-answer" data-right={right || undefined}>
      <span className="grade-given">
        <Icon name={right ? "check" : isEmpty ? "minus" : "close"} size={12} />
        <span className="sr-only">
          {right ? "right:" : isEmpty ? "no answer" : "wrong:"}
        </span>
        <code>{given}</code>
        {tries > 1 ? (
          <span className="t2">{counted(tries, "try", "tries")}</span>
        ) : null}
      </span>
      {right ? null : (
        <span className="grade-why">
          {isEmpty ? "No answer. " : mistake ? `${words(mistake)} ` : ""}
          <span className="t2">
            Right: <code>{wanted}</code>
          </span>
        </span>
      )}
    </div>
  );
}

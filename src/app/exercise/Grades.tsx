/** The graded lines of a class: statistics, mistakes, students, and the names of the class. */
import { use, useMemo, useState } from "react";
import type { ExerciseView } from "../../engine/generated/ExerciseView";
import type { Report } from "../../engine/generated/Report";
import { checkClass, keepLines } from "../../model/exercise/classList";
import type { Keep } from "../../model/exercise/classList";
import { levelNames } from "../../model/exercise/kinds";
import {
  gradesCsv,
  statisticsOf,
  studentRows,
} from "../../model/exercise/report";
import type { Statistics } from "../../model/exercise/report";
import { namesIn } from "../../model/exercise/sheet";
import { fileName } from "../../model/shared/csv";
import { counted, fixed } from "../../model/shared/format";
import { ClassList } from "../../views/exercise/ClassList";
import { GradeTable } from "../../views/exercise/GradeTable";
import { MistakeList } from "../../views/exercise/MistakeList";
import { UnreadLines } from "../../views/exercise/UnreadLines";
import { Download } from "../../views/shared/Download";
import { loadLearn } from "../learn/texts";

export interface GradesProps {
  readonly view: ExerciseView;
  /** All lines. */
  readonly report: Report;
  readonly onClear: () => void;
}

export function Grades({ view, report: all, onClear }: GradesProps) {
  const words = use(loadLearn("en"));
  const [keep, setKeep] = useState<Keep>("all");
  const [names, setNames] = useState("");
  const report = useMemo(() => keepLines(all, keep), [all, keep]);
  const listed = namesIn(names);
  const check = listed.length > 0 ? checkClass(report, listed) : undefined;
  const statistics = statisticsOf(report);
  const levels = levelNames(view.machine);
  return (
    <>
      {statistics ? (
        <Summary statistics={statistics}>
          <Download
            label="CSV"
            what="grades"
            file={`${fileName(view.title) || "exercise"}-grades.csv`}
            make={() =>
              // A spreadsheet reads names of all scripts only with this mark.
              new Blob(["\uFEFF", gradesCsv(report, check)], {
                type: "text/csv",
              })
            }
          />
          <button type="button" className="btn quiet" onClick={onClear}>
            Remove all answers
          </button>
        </Summary>
      ) : null}
      <ClassList
        names={names}
        check={check}
        keep={keep}
        hasSeveral={studentRows(all).some(({ same }) => same > 1)}
        onNames={setNames}
        onKeep={setKeep}
      />
      <UnreadLines lines={report.unread} />
      {statistics ? (
        <>
          <h3>Mistakes by question</h3>
          <MistakeList
            questions={report.questions}
            levels={levels}
            words={words}
          />
          <h3>Students</h3>
          <GradeTable report={report} levels={levels} words={words} />
        </>
      ) : null}
    </>
  );
}

function Summary({
  statistics,
  children,
}: {
  readonly statistics: Statistics;
  readonly children: React.ReactNode;
}) {
  const { students, questions, mean, median, all, sure, unsure } = statistics;
  return (
    <div className="grade-summary">
      <p>
        <b>{counted(students, "line")}</b> graded. Mean <b>{fixed(mean, 1)}</b>,
        median <b>{fixed(median, 1)}</b> of {questions}; {all} with all right.
        {sure.of > 0
          ? ` Certain answers: ${sure.right} of ${sure.of} right.`
          : ""}
        {unsure.of > 0
          ? ` Other answers: ${unsure.right} of ${unsure.of} right.`
          : ""}
      </p>
      <p className="exercise-buttons">{children}</p>
    </div>
  );
}

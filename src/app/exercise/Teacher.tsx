/** The page of a teacher: the exercise, the answers of a class, and what they show. */
import { use, useEffect } from "react";
import { gradesCsv, statisticsOf } from "../../model/exercise/report";
import type { Statistics } from "../../model/exercise/report";
import { teacherLink, studentLink } from "../../model/exercise/link";
import { counted, fixed } from "../../model/shared/format";
import { fileName } from "../../model/shared/csv";
import { encodePermalink } from "../../model/permalink/permalink";
import type { TeacherActions } from "../../state/exercise/grade";
import type { TeacherState } from "../../state/exercise/state";
import { Download } from "../../views/shared/Download";
import { ProgressBar } from "../../views/shared/Progress";
import { GradeInput } from "../../views/exercise/GradeInput";
import { GradeTable } from "../../views/exercise/GradeTable";
import { MistakeList } from "../../views/exercise/MistakeList";
import { UnreadLines } from "../../views/exercise/UnreadLines";
import { useActions } from "../context";
import { loadLearn } from "../learn/texts";
import { loadExercise } from "./texts";
import { useLoaded } from "./useLoaded";
import "../../views/exercise/grade.css";

interface TeacherProps {
  readonly teacher: TeacherState;
  readonly actions: TeacherActions;
}

export function Teacher({ teacher }: { readonly teacher: TeacherState }) {
  const actions = useLoaded(useActions().exercise)?.teacher;
  usePastedAnswers(actions?.take);
  if (!actions) return <div className="learn" />;
  const { view } = teacher;
  return (
    <div className="learn exercise grade" lang="en">
      <header className="learn-head">
        <p className="exercise-kind">Grade answers</p>
        <h2>{view ? view.title : "Which exercise?"}</h2>
      </header>
      {view ? (
        <Answers teacher={teacher} actions={actions} />
      ) : (
        <Which teacher={teacher} actions={actions} />
      )}
      <p className="exercise-foot">
        <a href={`#${encodePermalink({ screen: "learn" })}`}>Lessons</a>
      </p>
    </div>
  );
}

/** Takes what is pasted outside of the fields, before the page takes it for a trace. */
function usePastedAnswers(paste: TeacherActions["take"] | undefined): void {
  useEffect(() => {
    if (!paste) return;
    const onPaste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event;
      const text = clipboardData?.getData("text/plain") ?? "";
      const isField =
        target instanceof Element && target.closest("input, textarea");
      if (isField || text.trim() === "") return;
      event.preventDefault();
      void paste(text);
    };
    addEventListener("paste", onPaste, true);
    return () => removeEventListener("paste", onPaste, true);
  }, [paste]);
}

function Which({ teacher, actions }: TeacherProps) {
  const say = use(loadExercise("en"));
  const { problem, failure, early } = teacher;
  return (
    <>
      {problem ? (
        <p className="exercise-problem" role="alert">
          {say(problem.key, { why: problem.why ?? "" })}
        </p>
      ) : null}
      <Failure failure={failure} />
      {early.length > 0 ? (
        <p role="status">
          {early.map(({ name }) => name).join(", ")}: answers that are graded
          once the exercise is open.
        </p>
      ) : null}
      <GradeInput
        label="The exercise: its link, or the text of its file"
        about="Answers belong to one exercise. Take the link or the file that your students got."
        act="Open the exercise"
        accept=".json,application/json"
        isLarge={false}
        onText={(text) => void actions.take(text)}
        onFiles={(files) => void actions.takeFiles(files)}
      />
    </>
  );
}

function Failure({ failure }: Pick<TeacherState, "failure">) {
  return failure === undefined ? null : (
    <p className="exercise-problem" role="alert">
      {failure}
    </p>
  );
}

function Answers({ teacher, actions }: TeacherProps) {
  const { view, report, progress, failure, link } = teacher;
  const sayLearn = use(loadLearn("en"));
  if (!view) return null;
  const statistics = report && statisticsOf(report);
  const data = link.grade ?? "";
  return (
    <>
      <p className="grade-about">
        {counted(view.asked, "question")} for each student, on{" "}
        {view.machine.name || view.cpu}. Exercise {view.digest}.{" "}
        {data === "" ? null : (
          <>
            <a href={`#${studentLink(data)}`} target="_blank" rel="noreferrer">
              Open as a student
            </a>
            {" · "}
            <a href={`#${teacherLink(data)}`}>Link of this page</a>
          </>
        )}
      </p>
      <GradeInput
        label="Answers: one line for each student"
        about="Paste a column of your LMS, or drop the files that students handed in. Other text in a line is kept as its label."
        act="Grade"
        accept=".txt,.csv,.tsv,text/plain"
        isLarge={!report}
        onText={(text) => void actions.take(text)}
        onFiles={(files) => void actions.takeFiles(files)}
      />
      <Failure failure={failure} />
      {progress ? (
        <div className="grade-progress" role="status">
          <ProgressBar label="Grading" {...progress} />
          <p className="exercise-buttons">
            {progress.done} of {counted(progress.total, "line")} graded
            <button type="button" className="btn" onClick={actions.cancel}>
              Cancel
            </button>
          </p>
        </div>
      ) : null}
      {report ? (
        <>
          {statistics ? (
            <Summary statistics={statistics}>
              <Download
                label="CSV"
                what="grades"
                file={`${fileName(view.title) || "exercise"}-grades.csv`}
                make={() =>
                  // A spreadsheet reads names of all scripts only with this mark.
                  new Blob(["\uFEFF", gradesCsv(report)], { type: "text/csv" })
                }
              />
              <button
                type="button"
                className="btn quiet"
                onClick={actions.clear}
              >
                Remove all answers
              </button>
            </Summary>
          ) : null}
          <UnreadLines lines={report.unread} />
          {statistics ? (
            <>
              <h3>Mistakes by question</h3>
              <MistakeList questions={report.questions} words={sayLearn} />
              <h3>Students</h3>
              <GradeTable report={report} words={sayLearn} />
            </>
          ) : null}
        </>
      ) : null}
      <section className="grade-honest">
        <h3>What grading checks</h3>
        <p>
          The simulator runs again here. An answer is right if it is the
          simulator’s answer to the question that this name gets. The number of
          tries, the seconds and “sure” are what the student’s browser wrote.
        </p>
        <p>
          The checksum of a line finds accidents; it is no signature. The page
          runs on the student’s machine, so all its checks can be evaded. A
          student can compute the answers with the simulator, write any number
          of tries, or take the questions of another name. Grade with names that
          you know, and ask questions for which using the simulator is the
          point.
        </p>
      </section>
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

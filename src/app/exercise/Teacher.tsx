/** The page of a teacher: the exercise, the answers of a class, and what they show. */
import { use, useEffect } from "react";
import { teacherLink, studentLink } from "../../model/exercise/link";
import { counted } from "../../model/shared/format";
import { encodePermalink } from "../../model/permalink/permalink";
import type { TeacherActions } from "../../state/exercise/grade";
import type { TeacherState } from "../../state/exercise/state";
import { ProgressBar } from "../../views/shared/Progress";
import { GradeInput } from "../../views/exercise/GradeInput";
import { useActions } from "../context";
import { Grades } from "./Grades";
import { loadExercise } from "./texts";
import { useLoaded } from "../shared/useLoaded";
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
  if (!view) return null;
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
        <Grades view={view} report={report} onClear={actions.clear} />
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

/** An exercise as a student sees it. */
import { Suspense, lazy, use, useState } from "react";
import { shownParts } from "../../model/exercise/lesson";
import { isOver, NO_ANSWER } from "../../model/exercise/progress";
import { hintMessages, questionMessage } from "../../model/exercise/question";
import type { SayExercise } from "../../model/exercise/question";
import { answerName, answerSentence } from "../../model/learn/answerWords";
import type { LessonPart } from "../../model/learn/lesson";
import { pictureOf } from "../../model/learn/picture";
import type { Picture } from "../../model/learn/picture";
import { askedArray, pressable } from "../../model/learn/pictureAnswer";
import { verdictOf } from "../../model/learn/question";
import type { SayLearn } from "../../model/learn/question";
import type { StepText } from "../../model/learn/text";
import { encodePermalink } from "../../model/permalink/permalink";
import { textOf } from "../../model/replay/parts";
import { paragraph } from "../../model/texts/messages";
import type { StudentActions } from "../../state/exercise/student";
import type { StudentState } from "../../state/exercise/state";
import { AnswerBar } from "../../views/learn/AnswerBar";
import { QuestionBox } from "../../views/learn/QuestionBox";
import { ExerciseStrip } from "../../views/exercise/ExerciseStrip";
import { StudentEnd } from "../../views/exercise/StudentEnd";
import { StudentStart } from "../../views/exercise/StudentStart";
import { useActions } from "../context";
import { useSpoken } from "../language/spoken";
import { LessonPicture } from "../learn/LessonPicture";
import { loadLearn } from "../learn/texts";
import { hasRun, questionProps } from "../learn/questionProps";
import { useAnswerKeys } from "../learn/useAnswerKeys";
import { useNewStep } from "../learn/useNewStep";
import { useArrows } from "../shared/useArrows";
import { useIsPhone, useMedia } from "../shared/useMedia";
import { ExerciseDoor } from "./ExerciseDoor";
import { loadExercise } from "./texts";
import { useLoaded } from "../shared/useLoaded";

const Known = lazy(() =>
  import("./Known").then((module) => ({ default: module.Known })),
);

interface StudentProps {
  readonly student: StudentState;
  readonly actions: StudentActions;
  readonly say: SayExercise;
  readonly sayLearn: SayLearn;
}

const LESSONS = `#${encodePermalink({ screen: "learn" })}`;

export function Student({ student }: { readonly student: StudentState }) {
  const actions = useLoaded(useActions().exercise)?.student;
  const { language } = useSpoken();
  const say = use(loadExercise(language));
  const sayLearn = use(loadLearn(language));
  const { stage, problem, link } = student;
  if (!actions) return <div className="learn" />;
  const props = { student, actions, say, sayLearn };
  if (stage === "asking") return <Asking {...props} />;
  const isMissing = link.exercise === "" && student.text === undefined;
  return (
    <div className="learn exercise translated">
      {problem ? (
        <p className="exercise-problem" role="alert">
          {say(problem.key, { why: problem.why ?? "" })}
        </p>
      ) : null}
      {stage === "end" ? (
        <End {...props} />
      ) : student.view ? (
        <StudentStart
          say={say}
          view={student.view}
          name={student.name}
          kept={student.kept}
          isOpening={stage === "opening"}
          onName={(name) => void actions.setName(name)}
          onBegin={() => void actions.begin()}
        />
      ) : problem || isMissing ? (
        <ExerciseDoor
          say={say}
          onFile={(file) => void actions.takeFile(file)}
        />
      ) : (
        <StudentStart
          say={say}
          view={undefined}
          name=""
          kept={0}
          isOpening
          onName={() => {}}
          onBegin={() => {}}
        />
      )}
      {stage === "end" ? null : (
        <p className="exercise-foot">
          <a href={LESSONS}>{say("lessons")}</a>
        </p>
      )}
    </div>
  );
}

function End({ student, actions, say }: StudentProps) {
  const { asked, answers, view, name, line = "", shown } = student;
  const questions = asked.map(({ posed }) => {
    const machine = shown?.scene.machine;
    if (!machine) return "";
    // The tables of all accesses have the same names.
    const about = { machine, step: shown.scene.step };
    const { key, values } = questionMessage(posed, about);
    return textOf(paragraph(say(key, values)));
  });
  return (
    <StudentEnd
      say={say}
      title={view?.title ?? ""}
      name={name}
      answers={answers}
      questions={questions}
      line={line}
      lessons={LESSONS}
      onQuestion={(at) => void actions.goTo(at)}
      onRename={() => void actions.rename()}
    />
  );
}

/** No lesson says anything about these answers. */
const NO_WORDS: StepText = {
  title: "",
  paragraphs: [],
  hints: [],
  right: [],
  wrong: {},
};

function Asking({ student, actions, say, sayLearn }: StudentProps) {
  const { at, answers, asked, view, question, shown } = student;
  const answer = answers[at] ?? NO_ANSWER;
  const attempts = view?.attempts;
  const over = isOver(answer, attempts);
  const isLast = at + 1 === asked.length;
  const goTo = (to: number) => void actions.goTo(to);
  const onNext = () => {
    if (isLast) void actions.finish();
    else goTo(at + 1);
  };
  const onBack = at > 0 ? () => goTo(at - 1) : undefined;
  useArrows(isLast ? undefined : onNext, onBack);
  useAnswerKeys(question, actions);
  useNewStep(String(at), question);
  const posed = question?.posed;
  const scene = shown?.at === at ? shown.scene : undefined;
  const about = scene && { machine: scene.machine, step: scene.step };
  const message = posed && about && questionMessage(posed, about);
  const { picture, show } = pictureIn(student);
  const press =
    posed && picture?.isAsking && shown?.at === at
      ? pressable(posed, picture, show)
      : undefined;
  const hints = view?.hints && posed && about ? hintMessages(posed, about) : [];
  return (
    <div className="lesson exercise">
      <ExerciseStrip
        say={say}
        title={view?.title ?? ""}
        name={student.name}
        at={at}
        answers={answers}
        left={
          attempts === undefined || answer.right
            ? ""
            : say("left", { n: Math.max(0, attempts - answer.tries) })
        }
        next={
          isLast ? say("finish") : answer.tries > 0 ? say("next") : say("skip")
        }
        isAnswered={over}
        onNext={onNext}
        onBack={onBack}
        onQuestion={goTo}
        onRename={() => void actions.rename()}
      >
        {question ? (
          <QuestionBox
            {...questionProps(question, actions)}
            say={sayLearn}
            question={
              message ? paragraph(say(message.key, message.values)) : []
            }
            hints={hints.map(({ key, values }) => paragraph(say(key, values)))}
            posed={message ? posed : undefined}
            verdict={
              question.graded && posed
                ? verdictOf(question.graded, NO_WORDS, posed, sayLearn)
                : undefined
            }
            press={press}
          />
        ) : null}
      </ExerciseStrip>
      <Pictured
        key={`${at} ${question?.done ?? ""}`}
        {...{ student, say, sayLearn, actions }}
      />
    </div>
  );
}

/** The picture of the question, or of the one before while it loads; after its answer, all parts are there. */
function pictureIn({ shown, at, question, view }: StudentState): {
  readonly picture?: Picture | undefined;
  readonly show: readonly LessonPart[];
} {
  if (!shown) return { show: [] };
  const isOpen = hasRun(question, shown, shown.at === at);
  return {
    picture: pictureOf(shown.scene, shown.step, isOpen),
    show: isOpen && view ? shownParts(view) : shown.step.show,
  };
}

function Pictured({ student, say, sayLearn, actions }: StudentProps) {
  const { shown, at, question } = student;
  const phone = useIsPhone();
  // The bits of a long address have no space next to the strip.
  const narrow = useMedia("(width < 1280px)");
  const [walkAt, setWalkAt] = useState<number | null>();
  const isHere = shown?.at === at;
  const isDone = question?.done ?? false;
  const { picture, show } = pictureIn(student);
  const { posed, given = "" } = question ?? {};
  // A number so far comes from the list of accesses.
  const isCounted = posed?.ask.kind === "number";
  const known =
    picture && posed && isHere && student.text !== undefined ? (
      <Suspense>
        <Known
          say={say}
          text={student.text}
          posed={posed}
          machine={picture.machine}
          phone={phone}
        />
      </Suspense>
    ) : null;
  return (
    <section
      className="lesson-live"
      aria-label={say("picture")}
      aria-busy={!isHere && question?.problem === undefined}
    >
      <header className="lesson-head">
        <h2>{say("picture")}</h2>
        <span>
          {picture
            ? `${picture.machine.name} · ${say(picture.isAsking ? "waits" : "ran", { at: picture.step.index })}`
            : ""}
        </span>
      </header>
      {isCounted ? known : null}
      {!picture || !shown ? (
        <p className="lesson-wait" role="status">
          {say("opening")}
        </p>
      ) : show.length === 0 ? (
        <p className="lesson-wait">{say("hidden")}</p>
      ) : (
        <LessonPicture
          say={sayLearn}
          picture={walkAt === undefined ? picture : { ...picture, walkAt }}
          show={show}
          whole={shown.whole}
          programs={[]}
          question={
            posed && !isDone
              ? { posed, given, onGive: actions.give }
              : undefined
          }
          phone={phone}
          narrow={narrow}
          onWalkAt={setWalkAt}
          onPrograms={() => {}}
          allArrays
        />
      )}
      {isCounted ? null : known}
      {picture && posed && isHere && !question?.graded ? (
        <AnswerBar
          say={sayLearn}
          answer={given.trim() && answerName(posed.ask.kind, given, sayLearn)}
          sentence={answerSentence(
            show.includes("tlb") ? askedArray(posed, picture) : undefined,
            given,
            sayLearn,
          )}
        />
      ) : null}
    </section>
  );
}

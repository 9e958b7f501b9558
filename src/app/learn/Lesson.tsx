/** One step of a lesson: its words on the left, and its picture from the components of the replay. */
import { Suspense, lazy, useState } from "react";
import { verdictOf, valuesOf } from "../../model/learn/question";
import { answerName, answerSentence } from "../../model/learn/answerWords";
import type { SayLearn } from "../../model/learn/question";
import { lessonPicture } from "../../model/learn/picture";
import type {
  Lesson as LessonData,
  LessonStep,
} from "../../model/learn/lesson";
import type { Picture } from "../../model/learn/picture";
import { askedArray, pressable } from "../../model/learn/pictureAnswer";
import { progressIn, scoreOf } from "../../model/learn/progress";
import { placeIn } from "../../model/learn/course";
import { encodePermalink } from "../../model/permalink/permalink";
import { fill } from "../../model/learn/text";
import { programsOf } from "../../model/learn/whole";
import type { LearnActions } from "../../state/learn/bound";
import type {
  LearnState,
  LessonEntry,
  LessonPlace,
} from "../../state/learn/state";
import { courseLesson } from "../../state/learn/state";
import { AnswerBar } from "../../views/learn/AnswerBar";
import { CourseEnd } from "../../views/learn/CourseEnd";
import { CalibrationTable } from "../../views/learn/CalibrationTable";
import { LessonStrip } from "../../views/learn/LessonStrip";
import { QuestionBox } from "../../views/learn/QuestionBox";
import { useSpoken } from "../language/spoken";
import { useIsPhone, useMedia } from "../shared/useMedia";
import { useArrows } from "../shared/useArrows";
import { LessonPicture } from "./LessonPicture";
import { hasRun, questionProps } from "./questionProps";
import { useAnswerKeys } from "./useAnswerKeys";
import { useNewStep } from "./useNewStep";

const LessonPrint = lazy(() =>
  import("./LessonPrint").then((module) => ({ default: module.LessonPrint })),
);

export interface LessonProps {
  readonly say: SayLearn;
  readonly learn: LearnState;
  readonly at: LessonPlace;
  readonly entry: LessonEntry;
  readonly actions: LearnActions;
}

export function Lesson({ say, learn, at, entry, actions }: LessonProps) {
  const { question, progress, lessons } = learn;
  const { lesson, text } = entry;
  const step = lesson.steps[at.step - 1];
  const words = text.steps[at.step - 1];
  const known = progressIn(progress, lesson.id);
  const n = lesson.steps.length;
  const isLast = at.step === n;
  const isFree =
    !question ||
    question.done ||
    question.graded !== undefined ||
    known.answers[at.step] !== undefined;
  const goTo = (to: number) =>
    void actions.goTo({ lesson: lesson.id, step: to });
  const course = placeIn(lessons.map(courseLesson), lesson.id);
  const nextLesson = course.next;
  const onNext = !isFree
    ? undefined
    : !isLast
      ? () => goTo(at.step + 1)
      : nextLesson === undefined
        ? () => void actions.goTo(undefined)
        : () => void actions.goTo({ lesson: nextLesson, step: 1 });
  const onBack = at.step > 1 ? () => goTo(at.step - 1) : undefined;
  const { language } = useSpoken();
  useArrows(onNext, onBack);
  useAnswerKeys(question, actions);
  useNewStep(`${lesson.id} ${at.step}`, question);
  const { answered, right } = scoreOf(known);
  const posed = question?.posed;
  const shown = shownOf(learn, at, entry);
  const press =
    posed && shown?.isHere && shown.picture.isAsking
      ? pressable(posed, shown.picture, shown.step.show)
      : undefined;
  const foreign = entry.language === language ? undefined : entry.language;
  if (!step || !words) return null;
  return (
    <div className="lesson">
      <LessonStrip
        say={say}
        number={lessons.indexOf(entry) + 1}
        of={lessons.length}
        lesson={text.title}
        course={course.short && say("shortAt", course.short)}
        step={at.step}
        steps={n}
        seen={known.seen}
        answers={known.answers}
        foreign={foreign}
        title={words.title}
        paragraphs={words.paragraphs}
        score={answered === 0 ? "" : say("score", { right, answered })}
        next={
          !isLast
            ? say("nextStep")
            : nextLesson === undefined
              ? say("allLessons")
              : say("nextLesson")
        }
        onNext={onNext}
        onBack={onBack}
        onStep={goTo}
        onList={() => void actions.goTo(undefined)}
        change={
          isLast && lesson.change !== undefined
            ? () => void actions.openInReplay(true)
            : undefined
        }
      >
        {question && words.question ? (
          <QuestionBox
            {...questionProps(question, actions)}
            say={say}
            foreign={foreign}
            question={fill(words.question, posed ? valuesOf(posed, say) : {})}
            hints={words.hints}
            posed={posed}
            verdict={
              question.graded && posed
                ? verdictOf(question.graded, words, posed, say)
                : undefined
            }
            press={press}
            onReveal={actions.reveal}
          />
        ) : null}
        {isLast ? (
          <>
            <CourseEnd
              say={say}
              lessons={lessons.map(({ lesson, text, language }) => ({
                id: lesson.id,
                title: text.title,
                language,
              }))}
              id={lesson.id}
              course={course}
              linkTo={(id) =>
                `#${encodePermalink({ screen: "learn", lesson: id, step: 1 })}`
              }
              exercise={`#${encodePermalink({ screen: "learn", exercise: "" })}`}
            />
            <CalibrationTable say={say} lessons={[known]} />
          </>
        ) : null}
      </LessonStrip>
      <Pictured
        // Another step, and the access after the answer, start with their own step of the walk.
        key={`${lesson.id} ${at.step} ${question?.done ?? ""}`}
        {...{ say, learn, at, entry, actions }}
        shown={shown}
      />
      {learn.sheet?.lesson === lesson.id ? (
        <Suspense>
          <LessonPrint
            say={say}
            entry={entry}
            number={lessons.indexOf(entry) + 1}
            sheet={learn.sheet}
            onDone={actions.dropSheet}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

/** What the picture shows: the step, or the one before while it loads. */
interface Shown {
  readonly step: LessonStep;
  readonly picture: Picture;
  readonly isHere: boolean;
}

function shownOf(
  { shown, question }: LearnState,
  at: LessonPlace,
  { lesson }: LessonEntry,
): Shown | undefined {
  const step =
    shown?.lesson === at.lesson ? lesson.steps[shown.step - 1] : undefined;
  if (!shown || !step) return undefined;
  const isHere = shown.step === at.step;
  const isDone = hasRun(question, shown, isHere);
  const picture = lessonPicture(shown.scene, lesson, step, isDone);
  return { step, picture, isHere };
}

/** The machine, the access, and the core whose TLB is shown if the step names one. */
function headOf(
  { picture, step }: Shown,
  { cores = "tid" }: LessonData,
  say: SayLearn,
): string {
  const { machine, isBefore } = picture;
  const moment = say(isBefore ? "momentBefore" : "moment", {
    machine: machine.name,
    at: picture.step.index,
  });
  return step.core === undefined
    ? moment
    : `${moment} · ${say("tlbOf", { cores, core: step.core })}`;
}

interface PicturedProps extends LessonProps {
  readonly shown: Shown | undefined;
}

/** The picture, with its title and the way into the replay. */
function Pictured({ say, learn, entry, actions, shown }: PicturedProps) {
  const { problem, question } = learn;
  const phone = useIsPhone();
  // The bits of a long address have no space next to the strip.
  const narrow = useMedia("(width < 1280px)");
  const [walkAt, setWalkAt] = useState<number | null>();
  const programs = programsOf(entry.lesson);
  const isHere = shown?.isHere ?? false;
  const picture = shown?.picture;
  const posed = isHere ? question?.posed : undefined;
  const given = question?.graded?.right ? "" : (question?.given ?? "");
  const asked = posed && { posed, given, onGive: actions.give };
  const tools = (
    <div className="lesson-tools">
      <button
        type="button"
        className="btn quiet"
        onClick={() => void actions.print()}
      >
        {say("print")}
      </button>
      <button
        type="button"
        className="btn quiet"
        onClick={() => void actions.openInReplay(false)}
      >
        {say("openInReplay")}
      </button>
    </div>
  );
  return (
    <section
      className="lesson-live"
      aria-label={say("picture")}
      aria-busy={!isHere && problem === undefined}
    >
      <header className="lesson-head">
        <h2>{say("picture")}</h2>
        <span>{shown && headOf(shown, entry.lesson, say)}</span>
        {phone ? null : tools}
      </header>
      {problem !== undefined ? (
        <p className="lesson-problem" role="alert" lang="en">
          {problem}
        </p>
      ) : shown && picture && learn.shown ? (
        <LessonPicture
          say={say}
          picture={walkAt === undefined ? picture : { ...picture, walkAt }}
          show={shown.step.show}
          whole={learn.shown.whole}
          programs={programs}
          question={asked}
          phone={phone}
          narrow={narrow}
          onWalkAt={setWalkAt}
          ran={
            learn.programs?.lesson === entry.lesson.id
              ? learn.programs
              : undefined
          }
          onRunPrograms={(n) => void actions.runPrograms(n)}
          onPrograms={() => void actions.openPrograms(programs)}
        />
      ) : (
        <p className="lesson-wait" role="status">
          {say("opening")}
        </p>
      )}
      {picture && posed && !question?.graded ? (
        <AnswerBar
          say={say}
          answer={given.trim() && answerName(posed.ask.kind, given, say)}
          sentence={answerSentence(askedArray(posed, picture), given, say)}
        />
      ) : null}
      {phone ? tools : null}
    </section>
  );
}

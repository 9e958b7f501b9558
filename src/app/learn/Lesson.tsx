/** One step of a lesson: its words on the left, and its picture from the components of the replay. */
import { useState } from "react";
import { verdictOf, valuesOf } from "../../model/learn/question";
import type { SayLearn } from "../../model/learn/question";
import { pictureOf } from "../../model/learn/picture";
import { progressIn, scoreOf } from "../../model/learn/progress";
import { fill } from "../../model/learn/text";
import { programsOf } from "../../model/learn/whole";
import type { LearnActions } from "../../state/learn/bound";
import type {
  LearnState,
  LessonEntry,
  LessonPlace,
  QuestionState,
} from "../../state/learn/state";
import { LessonStrip } from "../../views/learn/LessonStrip";
import { QuestionBox } from "../../views/learn/QuestionBox";
import { useSpoken } from "../language/spoken";
import { useIsPhone, useMedia } from "../shared/useMedia";
import { useArrows } from "../shared/useArrows";
import { LessonPicture } from "./LessonPicture";
import { useAnswerKeys } from "./useAnswerKeys";

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
  const nextLesson = lessons[lessons.indexOf(entry) + 1]?.lesson.id;
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
  const { answered, right } = scoreOf(known);
  const posed = question?.posed;
  const foreign = entry.language === language ? undefined : entry.language;
  if (!step || !words) return null;
  return (
    <div className="lesson">
      <LessonStrip
        say={say}
        number={lessons.indexOf(entry) + 1}
        of={lessons.length}
        lesson={text.title}
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
            say={say}
            foreign={foreign}
            question={fill(words.question, posed ? valuesOf(posed, say) : {})}
            hints={words.hints}
            posed={posed}
            given={question.given}
            sure={question.sure}
            shownHints={question.hints}
            graded={question.graded}
            verdict={
              question.graded && posed
                ? verdictOf(question.graded, words, posed, say)
                : undefined
            }
            done={question.done}
            problem={question.problem}
            onGive={actions.give}
            onSure={actions.beSure}
            onHint={actions.hint}
            onRun={() => void actions.answer()}
            onReveal={actions.reveal}
          />
        ) : null}
      </LessonStrip>
      <Pictured
        // Another step, and the access after the answer, start with their own step of the walk.
        key={`${lesson.id} ${at.step} ${question?.done ?? ""}`}
        {...{ say, learn, at, entry, actions }}
      />
    </div>
  );
}

/** The set that an answer names, if the question is about a set. */
function guessedSet(question: QuestionState | undefined): number | null {
  if (question?.posed?.ask.kind !== "set") return null;
  return /^\d+$/.test(question.given) ? Number(question.given) : null;
}

/** The picture, with its title and the way into the replay. */
function Pictured({ say, learn, at, entry, actions }: LessonProps) {
  const { shown, problem, question } = learn;
  const { lesson } = entry;
  const phone = useIsPhone();
  // The bits of a long address have no space next to the strip.
  const narrow = useMedia("(width < 1280px)");
  const [walkAt, setWalkAt] = useState<number | null>();
  const programs = programsOf(lesson);
  const isDone = question?.done ?? false;
  const isHere = shown?.lesson === at.lesson && shown.step === at.step;
  // While a step loads, the picture of the one before stays.
  const step =
    shown?.lesson === at.lesson ? lesson.steps[shown.step - 1] : undefined;
  const picture =
    step && shown && pictureOf(shown.scene, step, isDone || !isHere);
  return (
    <section
      className="lesson-live"
      aria-label={say("picture")}
      aria-busy={!isHere && problem === undefined}
    >
      <header className="lesson-head">
        <h2>{say("picture")}</h2>
        <span>
          {picture
            ? say(picture.isBefore ? "momentBefore" : "moment", {
                machine: picture.machine.name,
                at: picture.step.index,
              })
            : ""}
        </span>
        <button
          type="button"
          className="btn quiet"
          onClick={() => void actions.openInReplay(false)}
        >
          {say("openInReplay")}
        </button>
      </header>
      {problem !== undefined ? (
        <p className="lesson-problem" role="alert" lang="en">
          {problem}
        </p>
      ) : picture ? (
        <LessonPicture
          say={say}
          picture={walkAt === undefined ? picture : { ...picture, walkAt }}
          show={step.show}
          whole={shown.whole}
          programs={programs}
          guess={guessedSet(question)}
          phone={phone}
          narrow={narrow}
          onWalkAt={setWalkAt}
          onLoops={() => void actions.openLoops(programs)}
        />
      ) : (
        <p className="lesson-wait" role="status">
          {say("opening")}
        </p>
      )}
    </section>
  );
}

/** A lesson as a document: its steps with their pictures, questions with space for answers, and an answer sheet. */
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { lessonPicture } from "../../model/learn/picture";
import { valuesOf } from "../../model/learn/question";
import type { SayLearn } from "../../model/learn/question";
import { textOf } from "../../model/replay/parts";
import { fill } from "../../model/learn/text";
import { programsOf } from "../../model/learn/whole";
import type { LessonEntry, Sheet, SheetStep } from "../../state/learn/state";
import { AnswerSheet } from "../../views/learn/AnswerSheet";
import { LessonWords } from "../../views/learn/LessonWords";
import { PrintedQuestion } from "../../views/learn/PrintedQuestion";
import { LessonPicture } from "./LessonPicture";
import "../../views/learn/print.css";

export interface LessonPrintProps {
  readonly say: SayLearn;
  readonly entry: LessonEntry;
  /** The lesson's number, from 1. */
  readonly number: number;
  readonly sheet: Sheet;
  readonly onDone: () => void;
}

const nothing = () => {};

export function LessonPrint(props: LessonPrintProps) {
  const { say, entry, number, sheet, onDone } = props;
  const { text, language } = entry;
  useEffect(() => {
    // Pictures measure their space in one frame and are drawn in the next.
    const timer = setTimeout(() => {
      window.print();
    }, WAIT_MS);
    window.addEventListener("afterprint", onDone);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("afterprint", onDone);
    };
  }, [onDone]);
  const questions = sheet.steps.flatMap(({ asked }, at) => {
    const words = text.steps[at];
    if (!asked || !words?.question) return [];
    const values = valuesOf(asked.posed, say);
    const answer = say("choice", { choice: asked.answer });
    const right = fill(words.right ?? [], values);
    return [
      {
        step: at + 1,
        question: fill(words.question, values),
        // The words often begin with it.
        answer: beginsWith(textOf(right), answer) ? "" : answer,
        right,
      },
    ];
  });
  return createPortal(
    <article className="lesson-print" data-theme="light" lang={language}>
      <header>
        <p>Pagewalk · {number}</p>
        <h1>{text.title}</h1>
        <p>
          <LessonWords words={text.idea} />
        </p>
        <p className="printed-name">{say("yourName")}</p>
      </header>
      {text.steps.map(({ title, paragraphs }, at) => (
        <section key={at}>
          <h2>
            {at + 1}. {title}
          </h2>
          {paragraphs.map((words, n) => (
            <p key={n}>
              <LessonWords words={words} />
            </p>
          ))}
          <Pictured {...props} at={at} step={sheet.steps[at]} />
          {sheet.steps[at]?.asked ? (
            <PrintedQuestion
              say={say}
              posed={sheet.steps[at].asked.posed}
              question={
                questions.find(({ step }) => step === at + 1)?.question ?? []
              }
            />
          ) : null}
        </section>
      ))}
      {questions.length > 0 ? (
        <AnswerSheet say={say} title={text.title} questions={questions} />
      ) : null}
    </article>,
    document.body,
  );
}

function beginsWith(text: string, answer: string): boolean {
  const rest = text.replaceAll("`", "").toLowerCase();
  return (
    rest.startsWith(answer.toLowerCase()) &&
    !/^[\p{L}\p{N}]/u.test(rest.slice(answer.length))
  );
}

const WAIT_MS = 300;

interface PicturedProps extends LessonPrintProps {
  readonly at: number;
  readonly step: SheetStep | undefined;
}

/** The picture of a step before its answer. */
function Pictured({ say, entry, sheet, at, step }: PicturedProps) {
  const { steps } = entry.lesson;
  const shown = steps[at];
  if (!shown || !step) return null;
  const picture = lessonPicture(step.scene, entry.lesson, shown, false);
  // On paper, the answer to a later question would stand above it.
  const isAskedLater = steps
    .slice(at)
    .some(({ ask }) => ask?.ask.kind === "field");
  return (
    <div className="lesson-printed" inert>
      <LessonPicture
        say={say}
        picture={isAskedLater ? { ...picture, isAsking: true } : picture}
        show={shown.show}
        whole={sheet.whole}
        programs={programsOf(entry.lesson)}
        phone={false}
        narrow={false}
        onWalkAt={nothing}
        onPrograms={nothing}
        onRunPrograms={nothing}
      />
    </div>
  );
}

/** An exercise on paper: a sheet for each name, and the answers on pages of their own. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import type { KnownAccess } from "../../model/exercise/known";
import { count } from "../../model/shared/format";
import { hex } from "../../model/shared/hex";
import "./sheets.css";

export interface SheetQuestion {
  readonly text: string;
  /** `access 12`. */
  readonly access: string;
  readonly choices: readonly string[];
  readonly answer: string;
  /** What the pictures would show; missing if the question needs the screen. */
  readonly facts: readonly string[] | undefined;
}

export interface Sheet {
  readonly name: string;
  readonly questions: readonly SheetQuestion[];
  /** The accesses that questions count. */
  readonly accesses: readonly KnownAccess[];
}

export interface SheetsProps {
  readonly title: string;
  readonly instructions: readonly string[];
  /** What the machine is: name and value. */
  readonly machine: readonly (readonly [name: string, value: string])[];
  readonly part: "sheets" | "answers";
  readonly sheets: readonly Sheet[];
  /** The address of the exercise; missing if it is a file, or too long to be typed. */
  readonly address: string | undefined;
}

export function Sheets(props: SheetsProps): ReactNode {
  const { title, part, sheets } = props;
  return createPortal(
    <div className="sheets" lang="en">
      {part === "sheets" ? (
        sheets.map((sheet) => (
          <QuestionSheet key={sheet.name} {...props} sheet={sheet} />
        ))
      ) : (
        <AnswerSheet title={title} sheets={sheets} />
      )}
    </div>,
    document.body,
  );
}

function QuestionSheet({
  title,
  instructions,
  machine,
  sheet: { name, questions, accesses },
  address,
}: SheetsProps & { readonly sheet: Sheet }) {
  const onScreen = questions.flatMap(({ facts }, at) =>
    facts ? [] : [at + 1],
  );
  return (
    <article className="sheet">
      <header>
        <h1>{title}</h1>
        <p className="sheet-name">
          Name: {name === "" ? <span className="sheet-blank" /> : <b>{name}</b>}
        </p>
      </header>
      {instructions.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <dl>
        {machine.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ol>
        {questions.map((question, at) =>
          question.facts ? (
            <li key={at} value={at + 1}>
              <Question {...question} facts={question.facts} />
            </li>
          ) : null,
        )}
      </ol>
      {onScreen.length > 0 ? (
        <p>
          Answer {onScreen.length === 1 ? "question" : "questions"}{" "}
          {onScreen.join(", ")} on the screen: the pictures have what you need.
        </p>
      ) : null}
      {accesses.length > 0 ? <Accesses accesses={accesses} /> : null}
      {address === undefined ? null : (
        <footer>
          <p>The exercise on the screen, with its pictures:</p>
          <p className="sheet-address">{address}</p>
        </footer>
      )}
    </article>
  );
}

function Question({
  text,
  access,
  choices,
  facts,
}: SheetQuestion & { readonly facts: readonly string[] }) {
  return (
    <>
      <p>
        {text} <span>({access})</span>
      </p>
      {facts.map((fact) => (
        <p key={fact} className="sheet-fact">
          {fact}
        </p>
      ))}
      {choices.length > 0 ? (
        <ul>
          {choices.map((choice) => (
            <li key={choice}>
              <span className="sheet-box" /> {choice}
            </li>
          ))}
        </ul>
      ) : (
        <p className="sheet-answer">
          Answer: <span className="sheet-blank" />
        </p>
      )}
    </>
  );
}

function Accesses({ accesses }: Pick<Sheet, "accesses">) {
  return (
    <section>
      <h2>The accesses</h2>
      <ul className="sheet-accesses">
        {accesses.map(({ at, kind, address }) => (
          <li key={at}>
            {count(at)} {kind} {hex(address)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AnswerSheet({ title, sheets }: Pick<SheetsProps, "title" | "sheets">) {
  return (
    <article className="sheet">
      <header>
        <h1>Answers: {title}</h1>
      </header>
      {sheets.map(({ name, questions }) => (
        <section key={name} className="sheet-answers">
          <h2>{name === "" ? "All students" : name}</h2>
          <ol>
            {questions.map(({ text, answer, access }, at) => (
              <li key={at}>
                <b>{answer}</b>{" "}
                <span>
                  {text} ({access})
                </span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </article>
  );
}

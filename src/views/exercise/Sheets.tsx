/** An exercise on paper: a sheet for each name, and the answers on pages of their own. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import "./sheets.css";

export interface SheetQuestion {
  readonly text: string;
  readonly choices: readonly string[];
  readonly answer: string;
}

export interface SheetsProps {
  readonly title: string;
  readonly instructions: readonly string[];
  /** What the machine is: name and value. */
  readonly machine: readonly (readonly [name: string, value: string])[];
  readonly sheets: readonly {
    readonly name: string;
    readonly questions: readonly SheetQuestion[];
  }[];
  /** The address of the exercise; missing if it is a file. */
  readonly address: string | undefined;
}

export function Sheets(props: SheetsProps): ReactNode {
  const { title, instructions, machine, sheets, address } = props;
  return createPortal(
    <div className="sheets" lang="en">
      {sheets.map(({ name, questions }) => (
        <article key={name} className="sheet">
          <header>
            <h1>{title}</h1>
            <p className="sheet-name">
              Name:{" "}
              {name === "" ? <span className="sheet-blank" /> : <b>{name}</b>}
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
            {questions.map(({ text, choices }, at) => (
              <li key={at}>
                <p>{text}</p>
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
              </li>
            ))}
          </ol>
          {address === undefined ? null : (
            <footer>
              <p>The exercise on the screen, with its pictures:</p>
              <p className="sheet-address">{address}</p>
            </footer>
          )}
        </article>
      ))}
      <article className="sheet">
        <header>
          <h1>Answers: {title}</h1>
        </header>
        {sheets.map(({ name, questions }) => (
          <section key={name} className="sheet-answers">
            <h2>{name === "" ? "All students" : name}</h2>
            <ol>
              {questions.map(({ text, answer }, at) => (
                <li key={at}>
                  <b>{answer}</b> <span>{text}</span>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </article>
    </div>,
    document.body,
  );
}

/** What a teacher takes away from the dialog: the link, the file, and sheets on paper. */
import { useEffect, useState } from "react";
import { exerciseFileName } from "../../model/exercise/file";
import { MAX_LINK } from "../../engine/generated/exerciseRules";
import { studentLink, teacherLink } from "../../model/exercise/link";
import { askName } from "../../model/exercise/kinds";
import type { Spread } from "../../model/exercise/spread";
import { MOST_ADDRESS } from "../../model/exercise/paper";
import { machineRows, MOST_SHEETS, namesIn } from "../../model/exercise/sheet";
import { count, counted } from "../../model/shared/format";
import type { MakerActions } from "../../state/exercise/bound";
import type { Made, Solved } from "../../state/exercise/make";
import type { Paper } from "../../state/exercise/paper";
import { problemOf } from "../../state/learn/problem";
import { Sheets } from "../../views/exercise/Sheets";
import { saveFile } from "../../views/shared/picture/saveFile";

export interface MadeLinksProps {
  readonly made: Made;
  /** Whether the exercise is not that of the form: it may not be handed out. */
  readonly isStale: boolean;
  /** The names for sheets, one on each line. */
  readonly names: string;
  readonly onNames: (names: string) => void;
  /** Whether all students get the same accesses. */
  readonly isSame: boolean;
  readonly actions: MakerActions;
  readonly textFor: (question: Solved) => string;
}

interface Printed {
  readonly part: "sheets" | "answers";
  readonly names: readonly string[];
  readonly papers: readonly Paper[];
}

export function MadeLinks(props: MadeLinksProps) {
  const { made, isStale, names, onNames, isSame, actions, textFor } = props;
  const { data, noLink, length, lost, text, machine, view } = made;
  const { title } = view;
  const [message, setMessage] = useState("");
  const listed = namesIn(names);
  const [spreads, setSpreads] = useState<readonly Spread[]>([]);
  const [printed, setPrinted] = useState<Printed>();
  const addressOf = (hash: string) => new URL(`#${hash}`, location.href).href;
  const copy = async (what: string, hash: string) => {
    try {
      await navigator.clipboard.writeText(addressOf(hash));
      setMessage(`${what} copied.`);
    } catch {
      setMessage("The browser does not allow to copy. Save the file instead.");
    }
  };
  const save = () => {
    const file = exerciseFileName(title);
    saveFile(new Blob([`${text}\n`], { type: "application/json" }), file);
    setMessage(`Saved as ${file}.`);
  };
  const print = async (part: Printed["part"]) => {
    const of = listed.length === 0 ? [""] : listed.slice(0, MOST_SHEETS);
    setMessage("Solving the exercise …");
    try {
      const papers = await actions.papersFor(text, of);
      setPrinted({ part, names: of, papers });
      setMessage("");
    } catch (thrown) {
      setMessage(problemOf(thrown) ?? "");
    }
  };
  const spread = async () => {
    setMessage("Solving the exercise …");
    try {
      setSpreads(await actions.spreadFor(text, listed.slice(0, MOST_SHEETS)));
      setMessage("");
    } catch (thrown) {
      setMessage(problemOf(thrown) ?? "");
    }
  };
  const whole = data === undefined ? "" : addressOf(studentLink(data));
  const address =
    whole === "" || whole.length > MOST_ADDRESS ? undefined : whole;
  const unlessStale = (act: () => void) => ({
    "aria-disabled": isStale,
    onClick: isStale ? undefined : act,
  });
  const linkTo = (hash: string) => ({
    className: "btn",
    ...(isStale
      ? { role: "link", "aria-disabled": true }
      : { href: addressOf(hash), target: "_blank", rel: "noreferrer" }),
  });
  return (
    <section className="maker-links" aria-label="The exercise">
      {noLink === undefined ? (
        <p>
          The link has {count(length)} of at most {count(MAX_LINK)} characters,
          and holds everything.
        </p>
      ) : (
        <p>{noLink}</p>
      )}
      {lost.length > 0 ? (
        <p className="t2">
          The trace is written as lines. They do not hold: {lost.join(", ")}.
        </p>
      ) : null}
      <p className="exercise-buttons">
        {data === undefined ? null : (
          <button
            type="button"
            className="btn primary"
            {...unlessStale(() => void copy("Link", studentLink(data)))}
          >
            Copy link
          </button>
        )}
        <button
          type="button"
          className={data === undefined ? "btn primary" : "btn"}
          {...unlessStale(save)}
        >
          Save file
        </button>
        {data === undefined ? null : (
          <>
            <a {...linkTo(studentLink(data))}>Open as a student</a>
            <a {...linkTo(teacherLink(data))}>Grade answers</a>
          </>
        )}
      </p>
      <details className="maker-print">
        <summary>Class list, print</summary>
        <label className="maker-field">
          <span>
            {isSame
              ? "Names, one on each line; none prints one sheet for all"
              : "Names, one on each line: each name has its own accesses"}
          </span>
          <textarea
            className="field"
            rows={3}
            value={names}
            onChange={({ target }) => onNames(target.value)}
          />
        </label>
        {listed.length > MOST_SHEETS ? (
          <p className="maker-problem">
            These are {counted(listed.length, "name")}. Only the first{" "}
            {count(MOST_SHEETS)} get a sheet: print the others after them.
          </p>
        ) : null}
        <p className="exercise-buttons">
          <button
            type="button"
            className="btn"
            {...unlessStale(() => void print("sheets"))}
          >
            Print sheets
          </button>
          <button
            type="button"
            className="btn"
            {...unlessStale(() => void print("answers"))}
          >
            Print answers
          </button>
          <button
            type="button"
            className="btn"
            {...(listed.length === 0
              ? { "aria-disabled": true }
              : unlessStale(() => void spread()))}
          >
            Show how answers spread
          </button>
        </p>
        {spreads.length > 0 ? (
          <ol className="maker-spread">
            {spreads.map(({ ask, answers }, at) => (
              <li key={at}>
                <b>{askName(ask)}</b>:{" "}
                {answers.map(({ answer, n }) => `${answer} ×${n}`).join(", ")}
              </li>
            ))}
          </ol>
        ) : null}
      </details>
      <p role="status" className="t2">
        {message}
      </p>
      {printed ? (
        <>
          <Sheets
            title={title}
            instructions={[
              "Each question is about one access of a trace on the machine below. Numbers with 0x are hexadecimal; sets, ways and indices are decimal and begin with 0.",
            ]}
            machine={machineRows(machine)}
            part={printed.part}
            sheets={printed.names.map((name, at) => ({
              name,
              accesses: printed.papers[at]?.accesses ?? [],
              questions: (printed.papers[at]?.questions ?? []).map(
                (solved) => ({
                  text: textFor(solved),
                  access: `access ${count(solved.posed.at)}`,
                  choices: solved.posed.choices,
                  answer: solved.answer,
                  facts: solved.facts,
                }),
              ),
            }))}
            address={address}
          />
          <PrintNow onDone={() => setPrinted(undefined)} />
        </>
      ) : null}
    </section>
  );
}

/** Prints once the sheets are on the page, and removes them afterwards. */
function PrintNow({ onDone }: { readonly onDone: () => void }) {
  useEffect(() => {
    addEventListener("afterprint", onDone, { once: true });
    print();
    return () => removeEventListener("afterprint", onDone);
    // The sheets are printed once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return null;
}

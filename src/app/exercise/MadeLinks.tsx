/** What a teacher takes away from the dialog: the link, the file, and sheets on paper. */
import { useEffect, useState } from "react";
import { exerciseFileName } from "../../model/exercise/file";
import { LINK_MOST, studentLink, teacherLink } from "../../model/exercise/link";
import { machineRows, MOST_SHEETS, namesIn } from "../../model/exercise/sheet";
import { count, counted } from "../../model/shared/format";
import type { Made, MakeActions, Solved } from "../../state/exercise/make";
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
  readonly actions: MakeActions;
  readonly textFor: (question: Solved) => string;
}

/** Nobody types a longer address from a sheet. */
const LONGEST_TYPED = 200;

interface Printed {
  readonly names: readonly string[];
  readonly questions: readonly (readonly Solved[])[];
}

export function MadeLinks(props: MadeLinksProps) {
  const { made, isStale, names, onNames, isSame, actions, textFor } = props;
  const { data, noLink, length, lost, text, machine, view } = made;
  const { title } = view;
  const [message, setMessage] = useState("");
  const listed = namesIn(names);
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
  const print = async () => {
    const of = listed.length === 0 ? [""] : listed.slice(0, MOST_SHEETS);
    setMessage("Solving the exercise …");
    try {
      const questions = await actions.solvedFor(text, of);
      setPrinted({ names: of, questions });
      setMessage("");
    } catch (thrown) {
      setMessage(problemOf(thrown) ?? "");
    }
  };
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
          The link has {count(length)} of at most {count(LINK_MOST)} characters,
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
        <summary>Print</summary>
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
            {...unlessStale(() => void print())}
          >
            Print sheets and answers
          </button>
        </p>
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
            sheets={printed.names.map((name, at) => ({
              name,
              questions: (printed.questions[at] ?? []).map((solved) => ({
                text: textFor(solved),
                access: `access ${count(solved.posed.at)}`,
                choices: solved.posed.choices,
                answer: solved.answer,
              })),
            }))}
            address={
              data === undefined || length > LONGEST_TYPED
                ? undefined
                : addressOf(studentLink(data))
            }
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

/** The names of a class next to the graded lines: who is missing, who is not listed, and whose label names another student. */
import type { ClassCheck, Keep } from "../../model/exercise/classList";
import type { Student } from "../../engine/generated/Student";
import { counted } from "../../model/shared/format";
import { Segmented } from "../shared/Segmented";

export interface ClassListProps {
  readonly names: string;
  readonly check: ClassCheck | undefined;
  readonly keep: Keep;
  /** Whether a name has several lines. */
  readonly hasSeveral: boolean;
  readonly onNames: (names: string) => void;
  readonly onKeep: (keep: Keep) => void;
}

const KEEP: readonly { readonly value: Keep; readonly label: string }[] = [
  { value: "all", label: "all lines" },
  { value: "best", label: "best line" },
  { value: "last", label: "last line" },
];

export function ClassList(props: ClassListProps) {
  const { names, check, keep, hasSeveral, onNames, onKeep } = props;
  return (
    <section className="grade-class" aria-label="Class">
      {hasSeveral || keep !== "all" ? (
        <div className="grade-keep">
          <span>If a name has several lines, count</span>
          <Segmented
            label="Lines that count for a name"
            choices={KEEP}
            value={keep}
            onChange={onKeep}
          />
        </div>
      ) : null}
      <details>
        <summary>Class list</summary>
        <label className="maker-field">
          <span>Names, one on each line: the page shows who is missing</span>
          <textarea
            className="field"
            rows={4}
            spellCheck={false}
            value={names}
            onChange={({ target }) => onNames(target.value)}
          />
        </label>
      </details>
      {check ? <Found check={check} /> : null}
    </section>
  );
}

function Found({ check }: { readonly check: ClassCheck }) {
  const { missing, unknown, mislabelled } = check;
  return (
    <ul className="grade-found" role="status">
      <li>
        {missing.length === 0
          ? "Each name of the list has a line."
          : `${counted(missing.length, "name")} of the list without a line: ${missing.join(", ")}.`}
      </li>
      {unknown.length > 0 ? (
        <li>
          {counted(unknown.length, "line")} with a name that is not in the list:{" "}
          {unknown.map(placed).join(", ")}.
        </li>
      ) : null}
      {mislabelled.map(({ student, labelled }) => (
        <li key={`${student.file} ${student.line}`}>
          The label of {placed(student)} names another student: {labelled}.
        </li>
      ))}
    </ul>
  );
}

const placed = ({ name, file, line }: Student) =>
  `${name} (${file}, line ${line})`;

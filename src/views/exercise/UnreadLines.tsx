/** Lines that were not graded, each with its reason. */
import type { UnreadLine } from "../../engine/generated/UnreadLine";
import { counted } from "../../model/shared/format";

export function UnreadLines({
  lines,
}: {
  readonly lines: readonly UnreadLine[];
}) {
  if (lines.length === 0) return null;
  return (
    <section className="unread">
      <h3>{counted(lines.length, "line")} not graded</h3>
      <ul>
        {lines.map(({ file, line, start, error }, at) => (
          // The same line can be pasted twice.
          <li key={at}>
            <b>
              {file}, line {line}
            </b>
            : {withStop(error.message)} <code>{cut(start)}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

const withStop = (text: string) => (text.endsWith(".") ? text : `${text}.`);

/** The simulator cuts longer texts at this length. */
const LONG = 60;

const cut = (start: string) =>
  Array.from(start).length < LONG ? start : `${start.trimEnd()}…`;

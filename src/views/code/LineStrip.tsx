/** Which count stands next to the lines, what its colours mean, and all numbers of the line at the caret. */
import { HEAT_STEPS, LINE_QUANTITIES, lineText } from "../../model/code/lines";
import type { LineQuantity, LineTable } from "../../model/code/lines";
import type { ProgramSlot } from "../../model/code/code";
import { counted } from "../../model/shared/format";
import { useWalkKey } from "./useWalkKey";
import { unbroken } from "./unbroken";

export interface LineStripProps {
  readonly table: LineTable;
  readonly slot: ProgramSlot;
  readonly by: LineQuantity;
  /** The line at the caret. */
  readonly line: number;
  /** The line of the access at the cursor, which is shown if the caret's line makes none. */
  readonly at: number | undefined;
  /** Before the labels, if there are two programs. */
  readonly before: string;
  /** Whether the code has changed since the counts were made. */
  readonly isStale: boolean;
  readonly onBy: (by: LineQuantity) => void;
  readonly onGoTo: (line: number, direction: 1 | -1) => void;
}

export function LineStrip(props: LineStripProps) {
  const { table, by, before, isStale, onBy, onGoTo } = props;
  const found = (line: number | undefined) =>
    table.lines.find((each) => each.line === line);
  const here = found(props.line) ?? found(props.at);
  const line = here?.line ?? props.line;
  const walks = isStale ? 0 : (here?.counts.walks ?? 0);
  useWalkKey(props.slot, (direction) => {
    if (walks > 0) onGoTo(line, direction);
  });
  return (
    <div className="code-lines" data-changed={isStale || undefined}>
      <label>
        <span className="t2 small">next to the lines</span>{" "}
        <select
          className="field"
          aria-label={`${before}Count next to the lines`}
          value={by}
          onChange={({ target: { value } }) => {
            const found = LINE_QUANTITIES.find(({ id }) => id === value);
            if (found) onBy(found.id);
          }}
        >
          {LINE_QUANTITIES.map(({ id, word }) => (
            <option key={id} value={id}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <ul
        className="code-heat-legend small"
        aria-label="Share of the program’s sum"
      >
        {HEAT_STEPS.map(({ heat, word }) => (
          <li key={heat}>
            <i className="cm-heat" data-heat={heat} aria-hidden="true" /> {word}
          </li>
        ))}
      </ul>
      <p className="code-line-numbers small" role="status">
        {isStale ? (
          "The code has changed: the counts are those of the last run."
        ) : (
          <>
            <b>Line {line}</b>{" "}
            {here
              ? unbroken(lineText(here, table))
              : "makes no access in the trace"}
          </>
        )}
        {table.elsewhere > 0 && !isStale ? (
          <span className="t2">
            {" "}
            · {counted(table.elsewhere, "walk")} outside of this code
          </span>
        ) : null}
      </p>
      <span className="code-line-go">
        <button
          type="button"
          className="btn quiet"
          disabled={walks === 0}
          title="The walk of this line before the cursor (Shift+F8)"
          aria-label={`${before}Previous walk of line ${line}`}
          onClick={() => onGoTo(line, -1)}
        >
          ◀ walk
        </button>
        <button
          type="button"
          className="btn quiet"
          disabled={walks === 0}
          title="The next walk of this line (F8)"
          aria-label={`${before}Next walk of line ${line}`}
          onClick={() => onGoTo(line, 1)}
        >
          walk ▶
        </button>
      </span>
    </div>
  );
}

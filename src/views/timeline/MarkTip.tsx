import { useContext } from "react";
import type { Outcome } from "../../engine/generated/Outcome";
import { binOf } from "../../model/timeline/counts";
import type { TimelineColumns } from "../../model/timeline/counts";
import { binText, cellText } from "../../model/timeline/text";
import { Glyph } from "../shared/Glyph";
import { SecondLevelContext } from "../shared/outcomeWords";
import type { Mark } from "./surfaceControl";

export interface MarkTipProps {
  readonly timeline: TimelineColumns;
  readonly mark: Mark;
}

/** The counts of a bar or a cell. */
export function MarkTip({ timeline, mark }: MarkTipProps) {
  const bin = binOf(timeline.view, mark.access);
  const cell = mark.row === null ? null : cellText(timeline, bin, mark.row);
  if (!cell) return <BinTip timeline={timeline} bin={bin} />;
  return (
    <>
      <p className="tip-title">{cell.place}</p>
      <p className="tip-note">{cell.title}</p>
      <table className="tip-table">
        <tbody>
          <Line word="accesses" value={cell.accesses} />
          <Line word="walks" value={cell.walks} outcome="walk" />
          <Line word="page faults" value={cell.faults} outcome="fault" />
          {cell.exceptions === undefined ? null : (
            <Line
              word="exceptions"
              value={cell.exceptions}
              outcome="exception"
            />
          )}
        </tbody>
      </table>
    </>
  );
}

function BinTip({
  timeline,
  bin,
}: {
  readonly timeline: TimelineColumns;
  readonly bin: number;
}) {
  const second = useContext(SecondLevelContext);
  const { title, lines, total } = binText(timeline, bin, second);
  return (
    <>
      <p className="tip-title">{title}</p>
      <p className="tip-note">{total}</p>
      <table className="tip-table">
        <tbody>
          {lines.map((line) => (
            <Line
              key={line.outcome}
              outcome={line.outcome}
              word={line.word}
              value={line.count}
              share={line.share}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

interface LineProps {
  readonly word: string;
  readonly value: string;
  readonly share?: string;
  readonly outcome?: Outcome;
}

function Line({ word, value, share, outcome }: LineProps) {
  return (
    <tr>
      <th scope="row">
        {outcome === undefined ? null : <Glyph outcome={outcome} />}
        {word}
      </th>
      <td>{value}</td>
      {share === undefined ? null : <td>{share}</td>}
    </tr>
  );
}

/** Misses over the size of an array: a chart, and its numbers as a table. */
import { KIND_CHOICES } from "../../model/whatif/questions";
import type { SecondLevelCurve } from "../../engine/generated/SecondLevelCurve";
import type { Curve } from "../../engine/generated/Curve";
import type { PageSize } from "../../engine/generated/PageSize";
import type { Question } from "../../engine/generated/Question";
import { count } from "../../model/shared/format";
import {
  curveLines,
  curveRows,
  lineNote,
  ownPoints,
} from "../../model/whatif/curves";
import {
  arraysOf,
  shapeOf,
  shapeText,
  withEntries,
} from "../../model/whatif/machine";
import { valueOf } from "../../model/whatif/questions";
import type { Asked, WhatIfKinds } from "../../model/whatif/questions";
import { curvesCsv } from "../../model/whatif/tables";
import type { WhatIf } from "../../model/whatif/whatIf";
import { SavePicture } from "../shared/picture/SavePicture";
import { Segmented } from "../shared/Segmented";
import { CurveChart, lineColour } from "./CurveChart";
import { Panel, Pending } from "./Panel";
import type { PanelActions } from "./panelActions";
import "./curves.css";

export interface CurvesPanelProps extends PanelActions {
  readonly whatIf: WhatIf;
  /** The page sizes of the lines. */
  readonly sizes: readonly PageSize[];
  /** A curve per page size. */
  readonly curves: readonly (Asked<Curve> | undefined)[];
  /** The curve of the second level. */
  readonly secondLevel: Asked<SecondLevelCurve> | undefined;
  /** The questions of all curves. */
  readonly questions: readonly Question[];
}

export function CurvesPanel(props: CurvesPanelProps) {
  const { whatIf, curves, questions } = props;
  const { now, view, comparable, size, place, isChanged } = whatIf;
  const { machine } = whatIf.own;
  const lines = curveLines(
    props.sizes,
    curves.map(valueOf),
    valueOf(props.secondLevel),
  );
  const points = comparable
    ? ownPoints(machine, comparable, view.kinds, size)
    : [];
  const changed = arraysOf(now.machine).find(({ id }) => id === place?.id);
  const other = changed && shapeOf(changed.array).entries;
  const isOther = isChanged && place && other !== shapeOf(place.array).entries;
  const tried = (entries: number) =>
    place && withEntries(now.machine, place, entries, machine);
  const arrayOf = (entries: number) => {
    const array = place && tried(entries)?.[place.level][place.at];
    return array && `${place.name} as ${shapeText(array)}`;
  };
  const title = "Misses over size";
  return (
    <Panel
      title={title}
      of={whatIf.isPart ? "part" : undefined}
      note={
        comparable ? (
          <span className="wi-legend">
            <OwnMark /> this machine, counted in the replay
          </span>
        ) : null
      }
      controls={
        <>
          <Segmented<WhatIfKinds>
            label="Accesses"
            value={view.kinds}
            choices={KIND_CHOICES.map((value) => ({ value, label: value }))}
            onChange={(next) => props.onChoose({ kinds: next })}
          />
          <SavePicture
            what={title}
            tables={[{ csv: () => curvesCsv(lines, points) }]}
          />
        </>
      }
    >
      {lines.length > 0 ? (
        <>
          <ul className="wi-lines">
            {lines.map((line) => (
              <li key={line.id}>
                <svg width="22" height="8" aria-hidden="true">
                  <path
                    d="M0 4H22"
                    stroke={lineColour(line)}
                    strokeWidth="2"
                    strokeDasharray={
                      line.rank === undefined
                        ? "1 3"
                        : [undefined, "7 4", "2 3"][line.rank]
                    }
                  />
                </svg>
                {line.name} <span className="t3">{lineNote(line)}</span>
              </li>
            ))}
          </ul>
          <CurveChart
            lines={lines}
            points={points}
            size={size}
            other={isOther ? other : undefined}
            isOfWhole={!whatIf.isPart}
            arrayOf={arrayOf}
            onPick={(entries) => {
              const next = tried(entries);
              if (next) props.onChange({ machine: next, os: now.os });
            }}
            onOpen={(entries) => {
              const next = tried(entries);
              if (next) props.onOpen({ machine: next, os: now.os });
            }}
          />
          <CurveTable
            heads={lines.map(({ name }) => name)}
            rows={curveRows(lines, points)}
          />
        </>
      ) : (
        <Pending
          what="Misses of every size"
          asked={curves[0]}
          height={400}
          onCancel={() => props.onCancel(questions)}
          onAgain={() => props.onAgain(questions)}
        />
      )}
    </Panel>
  );
}

function OwnMark() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="5.5" className="wi-own" />
      <circle cx="7" cy="7" r="2" className="wi-own-core" />
    </svg>
  );
}

interface TableProps {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The chart as numbers, for users who cannot see it. */
function CurveTable({ heads, rows }: TableProps) {
  return (
    <details className="wi-values" data-no-picture="">
      <summary className="t2 small">Values</summary>
      <div
        className="wi-scroll"
        role="region"
        aria-label="Misses by entries"
        // The table scrolls if it is long.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">entries</th>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([entries, ...misses]) => (
              <tr key={entries}>
                <th scope="row">{count(Number(entries))}</th>
                {misses.map((n, at) => (
                  <td key={heads[at]}>{count(Number(n))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

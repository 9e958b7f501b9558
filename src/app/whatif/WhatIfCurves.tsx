/** Misses of every size, and of every number of sets and ways. */
import type { Question } from "../../engine/generated/Question";
import { csv } from "../../model/shared/csv";
import { count } from "../../model/shared/format";
import { KINDS } from "../../model/whatif/questions";
import type { WhatIfKinds } from "../../model/whatif/questions";
import {
  allRows,
  behindLine,
  curveLine,
  curveRows,
  ownPoints,
} from "../../model/whatif/curves";
import {
  arraysOf,
  shapeOf,
  shapeText,
  withCell,
  withEntries,
} from "../../model/whatif/machine";
import type { ArrayPlace } from "../../model/whatif/machine";
import { shownSizes } from "../../model/whatif/pages";
import { elsewhere, surfaceGrid } from "../../model/whatif/surface";
import { CurveChart, lineColour } from "../../views/whatif/CurveChart";
import { Panel, Pending } from "../../views/whatif/Panel";
import { SurfaceMap } from "../../views/whatif/SurfaceMap";
import { SavePicture } from "../../views/shared/picture/SavePicture";
import { Segmented } from "../../views/shared/Segmented";
import { useActions, useApp } from "../context";
import { useAnswer, valueOf } from "./useAsked";
import { partOf } from "./useWhatIf";
import type { WhatIf } from "./useWhatIf";
import "../../views/whatif/curves.css";

interface PartProps {
  readonly whatIf: WhatIf;
}

export function WhatIfCurves({ whatIf }: PartProps) {
  return (
    <>
      <Curves whatIf={whatIf} />
      <SetsAndWays whatIf={whatIf} />
    </>
  );
}

const KIND_CHOICES = (["data", "fetch", "all"] as const).map((value) => ({
  value,
  label: value,
}));

const NO_SIZES: readonly string[] = [];

function Curves({ whatIf }: PartProps) {
  const { own, now, view, comparable, size, place, isChanged } = whatIf;
  const actions = useActions();
  const all = useApp((state) => state.machine?.page_sizes ?? NO_SIZES);
  const sizes = shownSizes(all);
  const kinds = [...KINDS[view.kinds]];
  const part = partOf(own);
  const question = (pages: string | undefined) =>
    pages === undefined
      ? undefined
      : ({ what: "curve", uses: { pages, kinds }, ...part } as const);
  const asked = [
    useAnswer(question(sizes[0])),
    useAnswer(question(sizes[1])),
    useAnswer(question(sizes[2])),
  ];
  const { machine } = own;
  const second =
    machine.l2.length === 0
      ? undefined
      : ({
          what: "behind",
          uses: { pages: size, kinds },
          machine,
          ...part,
        } as const);
  const behind = useAnswer(second);
  const questions: Question[] = [...sizes.map(question), second].filter(
    (each) => each !== undefined,
  );
  const lines = sizes.flatMap((pages, rank) => {
    const curve = valueOf(asked[rank]);
    return curve && curve.misses.length > 0
      ? [curveLine(pages, rank, curve)]
      : [];
  });
  const curve = valueOf(behind);
  if (curve && curve.misses.length > 0) lines.push(behindLine(curve));
  const points = comparable
    ? ownPoints(machine, comparable, view.kinds, size)
    : [];
  const changed = arraysOf(now.machine).find(({ id }) => id === place?.id);
  const other = changed && shapeOf(changed.array).entries;
  const isOther = isChanged && place && other !== shapeOf(place.array).entries;
  const table = () =>
    csv([
      ["entries", ...lines.map(({ name }) => name)],
      ...allRows(lines, points),
    ]);
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
            choices={KIND_CHOICES}
            onChange={(next) => actions.chooseWhatIf({ kinds: next })}
          />
          <SavePicture what={title} tables={[{ csv: table }]} />
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
                {line.name}{" "}
                <span className="t3">{count(line.cold)} compulsory</span>
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
              if (next) actions.changeWhatIf({ machine: next, os: now.os });
            }}
            onOpen={(entries) => {
              const next = tried(entries);
              if (next) void actions.openWhatIf({ machine: next, os: now.os });
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
          asked={asked[0]}
          height={400}
          onCancel={() => actions.cancelAsked(questions)}
          onAgain={() => {
            for (const again of questions) void actions.ask(again);
          }}
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

/** The chart as numbers, for those who cannot see it. */
function CurveTable({ heads, rows }: TableProps) {
  return (
    <details className="wi-values" data-no-picture="">
      <summary className="t2 small">Values</summary>
      <div
        className="wi-scroll"
        role="region"
        aria-label="Misses by entries"
        // It scrolls where it is long.
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

const KIND_WORDS = { data: "access to data", fetch: "fetch" } as const;

/** What the number of a cell is of, and why the machine's is another one. */
function cellNote(place: ArrayPlace, kinds: WhatIfKinds): string {
  const why = elsewhere(place, kinds);
  const accesses =
    kinds === "all" ? "every access" : `every ${KIND_WORDS[kinds]}`;
  const asked = `Misses with LRU and set = page number mod sets, asked by ${accesses}`;
  return why === undefined
    ? `${asked}. A click tries that array.`
    : `${asked}, level 1 or not. A click tries that array in the machine, where it ${why}: there it misses otherwise.`;
}

function SetsAndWays({ whatIf }: PartProps) {
  const { now, view, size, place, isChanged, comparable } = whatIf;
  const actions = useActions();
  const question: Question & { readonly what: "surface" } = {
    what: "surface",
    uses: { pages: size, kinds: [...KINDS[view.kinds]] },
    ...partOf(whatIf.own),
  };
  const asked = useAnswer(question);
  const surface = valueOf(asked);
  const title = `${place?.name ?? "TLB"} misses, sets × ways`;
  const changed = arraysOf(now.machine).find(({ id }) => id === place?.id);
  const own = place && shapeOf(place.array);
  const other = isChanged && changed ? shapeOf(changed.array) : undefined;
  const point =
    comparable &&
    ownPoints(whatIf.own.machine, comparable, view.kinds, size).find(
      ({ id }) => id === place?.id,
    );
  const cell = (sets: number, ways: number) => ({
    machine: place ? withCell(now.machine, place, sets, ways) : now.machine,
    os: now.os,
  });
  const table = () =>
    csv([
      ["sets", "ways", "misses"],
      ...(surface?.rows ?? []).map((row) => [row.sets, row.ways, row.misses]),
    ]);
  return (
    <Panel
      title={title}
      of={whatIf.isPart ? "part" : undefined}
      note={`${size}, LRU, ${view.kinds}`}
      controls={
        <>
          <span className="wi-legend small">
            <i className="wi-swatch" /> machine{" "}
            <i className="wi-swatch wi-swatch-other" /> what if
          </span>
          <SavePicture what={title} tables={[{ csv: table }]} />
        </>
      }
    >
      {surface && place && own ? (
        <>
          <SurfaceMap
            grid={surfaceGrid(surface, own, other)}
            own={own}
            other={other}
            note={cellNote(place, view.kinds)}
            onPick={(sets, ways) => actions.changeWhatIf(cell(sets, ways))}
            onOpen={(sets, ways) => void actions.openWhatIf(cell(sets, ways))}
          />
          <p className="t2 small wi-map-foot">
            <span>
              <i className="wi-cold" /> compulsory only
            </span>
            <span>
              {place.array.replacement ?? "lru"} and{" "}
              {place.array.index ?? "low-bits"}, as here
              {point ? `: ${count(point.misses)}, counted` : ""}
            </span>
          </p>
          <p className="t3 small">{cellNote(place, view.kinds)}</p>
        </>
      ) : (
        <Pending
          what="Misses of every number of sets and ways"
          asked={asked}
          height={372}
          onCancel={() => actions.cancelAsked([question])}
          onAgain={() => void actions.ask(question)}
        />
      )}
    </Panel>
  );
}

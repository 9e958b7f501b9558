/** Misses by sets and ways as a heat map. */
import type { Surface } from "../../engine/generated/Surface";
import { pagesWords } from "../../model/whatif/whatIf";
import { count } from "../../model/shared/format";
import type { QuestionOf } from "../../model/whatif/asking";
import { ownPoints } from "../../model/whatif/curves";
import { arraysOf, shapeOf, withCell } from "../../model/whatif/machine";
import { valueOf } from "../../model/whatif/questions";
import {
  cellNote,
  MAP_RULES,
  missingShape,
  otherRules,
  rulesNote,
  surfaceGrid,
} from "../../model/whatif/surface";
import { surfaceCsv } from "../../model/whatif/tables";
import { SavePicture } from "../shared/picture/SavePicture";
import { Panel, Pending } from "./Panel";
import type { AnswerProps } from "./panelActions";
import { SurfaceMap } from "./SurfaceMap";
import "./curves.css";

export function SurfacePanel(
  props: AnswerProps<QuestionOf<"surface">, Surface>,
) {
  const { whatIf, question, asked } = props;
  const { now, view, size, place, isChanged, comparable } = whatIf;
  const surface = valueOf(asked);
  const title = `${place?.name ?? "TLB"} misses, sets × ways`;
  const changed = arraysOf(now.machine).find(({ id }) => id === place?.id);
  const own = place && shapeOf(place.array);
  const tried = isChanged ? changed?.array : undefined;
  const other = tried && shapeOf(tried);
  const isRough = tried !== undefined && otherRules(tried) !== undefined;
  const grid = surface && own && surfaceGrid(surface, own, other);
  const missing = grid && missingShape(grid, other);
  const rules = place && rulesNote(place, tried);
  const point =
    comparable &&
    ownPoints(whatIf.own.machine, comparable, view.kinds, size).find(
      ({ id }) => id === place?.id,
    );
  const cell = (sets: number, ways: number) => ({
    machine: place ? withCell(now.machine, place, sets, ways) : now.machine,
    os: now.os,
  });
  return (
    <Panel
      title={title}
      of={whatIf.isPart ? "part" : undefined}
      note={`${pagesWords(whatIf)}, ${view.kinds}, ${MAP_RULES}`}
      controls={
        <SavePicture
          what={title}
          tables={[{ csv: () => surfaceCsv(surface) }]}
        />
      }
    >
      {grid ? (
        <>
          <SurfaceMap
            grid={grid}
            own={own}
            other={other}
            isRough={isRough}
            note={cellNote(place, view.kinds)}
            onPick={(sets, ways) => props.onChange(cell(sets, ways))}
            onOpen={(sets, ways) => props.onOpen(cell(sets, ways))}
          />
          <p className="t2 small wi-map-foot">
            <span className="wi-legend">
              <i className="wi-swatch" /> machine’s shape
            </span>
            {other && missing === undefined ? (
              <span className="wi-legend">
                <i className="wi-swatch wi-swatch-other" /> tried shape
              </span>
            ) : null}
            <span className="wi-legend">
              <i className="wi-cold" /> compulsory only
            </span>
            <span className="spacer" />
            {point ? (
              <span>as configured, counted: {count(point.misses)}</span>
            ) : null}
          </p>
          {[rules, missing].map((text) =>
            text === undefined ? null : (
              <p key={text} className="small wi-map-rules">
                {text}
              </p>
            ),
          )}
          <p className="t3 small">{cellNote(place, view.kinds)}</p>
        </>
      ) : (
        <Pending
          what="Misses of every number of sets and ways"
          asked={asked}
          height={372}
          onCancel={() => props.onCancel([question])}
          onAgain={() => props.onAgain([question])}
        />
      )}
    </Panel>
  );
}

/** Misses by sets and ways as a heat map. */
import type { Surface } from "../../engine/generated/Surface";
import { count } from "../../model/shared/format";
import type { QuestionOf } from "../../model/whatif/asking";
import { ownPoints } from "../../model/whatif/curves";
import { arraysOf, shapeOf, withCell } from "../../model/whatif/machine";
import { valueOf } from "../../model/whatif/questions";
import { cellNote, surfaceGrid } from "../../model/whatif/surface";
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
          <SavePicture
            what={title}
            tables={[{ csv: () => surfaceCsv(surface) }]}
          />
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
            onPick={(sets, ways) => props.onChange(cell(sets, ways))}
            onOpen={(sets, ways) => props.onOpen(cell(sets, ways))}
          />
          <p className="t2 small wi-map-foot">
            <span>
              <i className="wi-cold" /> compulsory only
            </span>
            <span>
              {place.array.replacement ?? "lru"} and{" "}
              {place.array.index ?? "low-bits"}, as configured
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
          onCancel={() => props.onCancel([question])}
          onAgain={() => props.onAgain([question])}
        />
      )}
    </Panel>
  );
}

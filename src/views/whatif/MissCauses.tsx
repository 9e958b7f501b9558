/** The causes of an array's misses, the fewest possible, and its reach compared with the footprint. */
import type { MissSplit } from "../../engine/generated/MissSplit";
import {
  count,
  counted,
  memorySize,
  percentOf,
} from "../../model/shared/format";
import type { QuestionOf } from "../../model/whatif/asking";
import { pagesWords } from "../../model/whatif/whatIf";
import { shapeOf } from "../../model/whatif/machine";
import type { ArrayPlace } from "../../model/whatif/machine";
import { valueOf } from "../../model/whatif/questions";
import { measuredMisses, splitParts } from "../../model/whatif/split";
import { Explained, ModelNumber } from "../shared/Quantity";
import { CauseBar, CauseKey } from "./CauseBar";
import { Pending } from "./Panel";
import type { AnswerProps } from "./panelActions";
import "./pages.css";

export interface MissCausesProps extends AnswerProps<
  QuestionOf<"split">,
  MissSplit
> {
  readonly place: ArrayPlace;
}

export function MissCauses(props: MissCausesProps) {
  const { whatIf, place, question, asked } = props;
  const { view } = whatIf;
  const { entries } = shapeOf(place.array);
  const split = valueOf(asked);
  if (!split)
    return (
      <Pending
        what="Misses by cause, and the fewest possible"
        asked={asked}
        height={96}
        onCancel={() => props.onCancel([question])}
        onAgain={() => props.onAgain([question])}
      />
    );
  const { measured, isCounted } = measuredMisses(whatIf, split);
  const parts = splitParts(split, measured);
  const { reach_bytes: reach, footprint_bytes: footprint } = split;
  const covered = Math.min(1, reach / Math.max(1, footprint));
  return (
    <div className="wi-causes">
      <p className="t2 small">
        {place.name} misses of {view.kinds}, {pagesWords(whatIf)}:{" "}
        <b className="wi-strong">{count(measured)}</b>
        {isCounted ? ", counted" : ", under LRU"}
        {whatIf.isPart ? ", in the whole trace" : ""}
      </p>
      <CauseBar parts={parts} />
      <ul className="wi-facts">
        {parts.map(({ id, name, text, than, help }) => (
          <li key={id}>
            <CauseKey id={id} />
            <Explained content={help} model={false}>
              {name}
            </Explained>{" "}
            <b>{text}</b>
            {than === undefined ? null : <span className="t2"> {than}</span>}
          </li>
        ))}
      </ul>
      <ul className="wi-facts wi-bounds">
        <li>
          <ModelNumber formula="Belady’s optimum: a fully associative array of the same size that knows the future and evicts the page whose next use is farthest away. No replacement policy has fewer misses.">
            fewest possible with {counted(entries, "entry", "entries")}
          </ModelNumber>{" "}
          <b>{count(split.optimum)}</b>
        </li>
        <li>
          <ModelNumber formula="An unlimited TLB: one miss per page.">
            ideal TLB
          </ModelNumber>{" "}
          <b>{count(split.compulsory)}</b>
        </li>
      </ul>
      {/* Pages of several sizes have no common number of bytes. */}
      {footprint > 0 ? (
        <>
          <p className="t2 small wi-reach-title">
            Reach compared with footprint, {pagesWords(whatIf)}:{" "}
            {memorySize(reach)} of {memorySize(footprint)}
            {reach >= footprint
              ? ", all of it"
              : `, ${percentOf(reach, footprint)}`}
          </p>
          <div className="wi-reach-bar" aria-hidden="true">
            <span style={{ width: `${covered * 100}%` }} />
          </div>
        </>
      ) : null}
    </div>
  );
}

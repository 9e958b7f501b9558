/** The recording, the source of its numbers, and the filters for samples. */
import { WHO } from "../../model/samples/state";
import type { ReactNode } from "react";
import type { SurveySide } from "../../engine/generated/SurveySide";
import type { TraceView } from "../../engine/generated/TraceView";
import { count, memorySize, percent } from "../../model/shared/format";
import { walkedShare } from "../../model/samples/levels";
import { eventName, SIDE_WORDS, tagMeaning } from "../../model/samples/text";
import type { SideKey } from "../../model/samples/text";
import type { SurveyChoice } from "../../model/samples/state";
import { toolName } from "../../model/import/formats";
import { completenessWord } from "../../model/import/traceText";
import { Segmented } from "../shared/Segmented";

export interface SamplesHeadProps {
  readonly trace: TraceView;
  readonly sides: readonly SideKey[];
  readonly of: SideKey;
  readonly side: SurveySide;
  readonly choice: SurveyChoice;
  readonly span: string;
  readonly onSide: (side: SideKey) => void;
  readonly onChoose: (choice: SurveyChoice) => void;
}

export function SamplesHead(props: SamplesHeadProps) {
  const { trace, sides, of, side, choice, span, onSide, onChoose } = props;
  const { sampling, format, part } = trace.import;
  const events = sampling?.events ?? [];
  const used = events.flatMap((event, at) =>
    event.samples > 0 ? [{ at, name: eventName(event) }] : [],
  );
  return (
    <header className="samples-head">
      <div className="samples-title">
        <h2 className="mono">{trace.name}</h2>
        <p className="t2">
          {toolName(format)} ·{" "}
          <b>{completenessWord(side.completeness, undefined, part)}</b> · {span}
          {sampling && sampling.lost > 0
            ? ` · ${count(sampling.lost)} lost`
            : ""}
        </p>
        <p className="samples-meaning">{tagMeaning(of, side.completeness)}</p>
      </div>
      <div className="samples-choices">
        {sides.length > 1 ? (
          <Segmented
            label="Samples of"
            choices={sides.map((value) => ({
              value,
              label: SIDE_WORDS[value],
            }))}
            value={of}
            onChange={onSide}
          />
        ) : null}
        <Segmented
          label="Whose samples"
          choices={WHO.map((value) => ({ value, label: value }))}
          value={choice.who}
          onChange={(who) => onChoose({ ...choice, who })}
        />
        {used.length > 1 ? (
          <select
            className="samples-event"
            aria-label="Event"
            value={choice.event ?? ""}
            onChange={({ target: { value } }) =>
              onChoose({
                who: choice.who,
                ...(value !== "" && { event: Number(value) }),
              })
            }
          >
            <option value="">all events</option>
            {used.map(({ at, name }) => (
              <option key={at} value={at}>
                {name}
              </option>
            ))}
          </select>
        ) : null}
      </div>
      <dl className="samples-figures">
        <Figure name="samples">{count(side.total.samples)}</Figure>
        {side.weighted && side.total.weight !== side.total.samples ? (
          <Figure name="events represented">{count(side.total.weight)}</Figure>
        ) : null}
        <Figure name="4K pages" more={memorySize(side.pages_4k * 4096)}>
          {count(side.pages_4k)}
        </Figure>
        <Figure name="ranges of 2M" more={memorySize(side.pages_2m * 2 ** 21)}>
          {count(side.pages_2m)}
        </Figure>
        <Measured side={side} />
        {side.kernel > 0 ? (
          <Figure name="kernel addresses">{count(side.kernel)}</Figure>
        ) : null}
        {side.guest > 0 ? (
          <Figure name="in virtual machines">{count(side.guest)}</Figure>
        ) : null}
        {side.without_address > 0 ? (
          <Figure name="without an address">
            {count(side.without_address)}
          </Figure>
        ) : null}
      </dl>
    </header>
  );
}

/** What the processor measured in total. */
function Measured({ side }: { readonly side: SurveySide }) {
  const { total, completeness } = side;
  const walked = walkedShare(total);
  return (
    <>
      {walked === undefined ? null : (
        <Figure
          name="measured walks"
          more={
            completeness === "latency-filtered" ? "of slow accesses" : undefined
          }
        >
          {percent(walked)}
        </Figure>
      )}
      {total.latency === null ? null : (
        <Figure name="mean latency" more="cycles">
          {count(total.latency)}
        </Figure>
      )}
    </>
  );
}

interface FigureProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly more?: string | undefined;
}

function Figure({ name, children, more }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{children}</b>
        {more === undefined ? null : <span className="t2 small"> {more}</span>}
      </dd>
    </div>
  );
}

/**
 * The walk panel: head line, the picture of a one-dimensional page walk and the entry's bits. On a TLB hit
 * there is no walk: every table is drawn faint and `onNextWalk` is offered. In the `phone` layout the levels
 * go from top to bottom.
 */
import { useId, useState } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import { changeOf } from "../../model/replay/effectMarks";
import { endingOf } from "../../model/replay/noTranslation";
import { walkCsv } from "../../model/replay/pictureCsv";
import { defaultLevel, walkSummary } from "../../model/walk/tables";
import { SavePicture } from "../shared/picture/SavePicture";
import { placesOf } from "../shared/terms/places";
import { Term } from "../shared/terms/Term";
import { TraceTag } from "../shared/TraceTag";
import { Glyph } from "../shared/Glyph";
import { EntryBits } from "./EntryBits";
import { WalkColumns } from "./WalkColumns";
import { WalkLegend } from "./WalkLegend";
import { WalkRows } from "./WalkRows";
import "./walk.css";

export interface WalkPanelProps {
  readonly machine: MachineView;
  readonly step: StepView;
  /** The translation to show: 0, or 1 for the second page of a straddling access. */
  readonly which?: number;
  readonly phone?: boolean;
  /** For a low screen: the entry's bits are shown only for a selected entry. */
  readonly low?: boolean;
  /** Moves the replay to the next access that walks. */
  readonly onNextWalk?: () => void;
}

export function WalkPanel({
  machine,
  step,
  which = 0,
  phone = false,
  low = false,
  onNextWalk,
}: WalkPanelProps) {
  const title = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  // The key resets the selection at each new access.
  const at = `${step.index} ${which}`;
  const [shownAt, setShownAt] = useState(at);
  if (shownAt !== at) {
    setShownAt(at);
    setChosen(null);
  }
  const translation = step.translations[which] ?? step.translations[0];
  if (!translation)
    return <NoWalk step={step} machine={machine} phone={phone} title={title} />;
  const selected = Math.min(
    chosen ?? defaultLevel(translation),
    translation.levels.length - 1,
  );
  const level =
    translation.levels[hovered ?? selected] ?? translation.levels[selected];
  const walked = translation.refs > 0;
  const props = {
    translation,
    machine,
    selected,
    pinned: chosen !== null,
    onSelect: setChosen,
    onHover: setHovered,
  };
  return (
    <section
      className={phone ? "walk walk-phone" : low ? "walk walk-low" : "walk"}
      data-picture=""
      aria-labelledby={title}
    >
      <header className="walk-head">
        <h2 id={title} {...placesOf("walk")}>
          <Term term="page-walk">Walk</Term>
        </h2>
        <TraceTag />
        <span className="walk-summary">
          {phone && translation.outcome === "fault" ? (
            <>
              <Glyph outcome="fault" /> <b>first touch</b>, then{" "}
            </>
          ) : null}
          {walkSummary(translation, machine, phone)}
          {!walked && onNextWalk ? (
            <button type="button" className="walk-next" onClick={onNextWalk}>
              Next walk <kbd>W</kbd>
            </button>
          ) : null}
        </span>
        {phone ? null : <WalkLegend machine={machine} />}
        <SavePicture
          what={`Walk at access ${step.index}`}
          tables={[{ csv: () => walkCsv(translation) }]}
        />
      </header>
      {phone ? (
        <WalkRows {...props} />
      ) : (
        <WalkColumns
          {...props}
          kind={step.access.kind}
          root={step.root}
          changed={translation.levels.map(
            (each) => changeOf(step, each) !== null,
          )}
          low={low}
        />
      )}
      {level && ((!phone && !low) || chosen !== null) ? (
        <EntryBits level={level} change={changeOf(step, level)} />
      ) : null}
    </section>
  );
}

/** Shown if the access ended without a translation: the frame with the reason. */
function NoWalk({
  step,
  machine,
  phone,
  title,
}: {
  readonly step: StepView;
  readonly machine: MachineView;
  readonly phone: boolean;
  readonly title: string;
}) {
  const ending = endingOf(step, machine);
  return (
    <section
      className={phone ? "walk walk-phone" : "walk"}
      aria-labelledby={title}
    >
      <header className="walk-head">
        <h2 id={title}>Walk</h2>
        <span className="walk-summary">no translation</span>
      </header>
      {ending ? (
        <p className="walk-none">
          <b>{ending.title}</b>: {ending.why}
        </p>
      ) : null}
    </section>
  );
}

/**
 * The walk panel: head line, the picture of a one-dimensional page walk, its current step and the entry's bits.
 * On a TLB hit there is no walk: every table is drawn faint and `onNextWalk` is offered. In the `phone` layout
 * the levels go from top to bottom.
 */
import { useId } from "react";
import type { ReactNode } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { changeOf } from "../../model/replay/effectMarks";
import { endingOf } from "../../model/replay/noTranslation";
import { refusedWalk } from "../../model/walk/refused";
import type { Refusal } from "../../model/walk/refused";
import { nativeSteps, stepSentence } from "../../model/walk/steps";
import { defaultLevel, walkSummary } from "../../model/walk/tables";
import { SavePicture } from "../shared/picture/SavePicture";
import { placesOf } from "../shared/terms/places";
import { Term } from "../shared/terms/Term";
import { TraceTag } from "../shared/TraceTag";
import { Glyph } from "../shared/Glyph";
import { EntryBits } from "./EntryBits";
import { NativeStepBand } from "./NativeStepBand";
import { reachedOf, useNativeWalk } from "./useNativeWalk";
import type { OwnedStep } from "./useStepping";
import { WalkColumns } from "./WalkColumns";
import { WalkLegend } from "./WalkLegend";
import { WalkRows } from "./WalkRows";
import "./walk.css";
import "./step.css";

export interface WalkPanelProps {
  readonly machine: MachineView;
  readonly step: StepView;
  /** The translation to show: 0, or 1 for the second page of a straddling access. */
  readonly which?: number;
  readonly phone?: boolean;
  /** For a low screen: the entry's bits are shown only for a selected entry. */
  readonly low?: boolean;
  /** Controls of the panel's owner, in the head. */
  readonly tools?: ReactNode;
  /** The step of a walk, where the panel's owner keeps it. */
  readonly owned?: OwnedStep;
  /** Moves the replay to the next access that walks. */
  readonly onNextWalk?: () => void;
}

export function WalkPanel(props: WalkPanelProps) {
  const { machine, step, which = 0 } = props;
  const found = step.translations[which] ?? step.translations[0];
  const refused = found ? null : refusedWalk(step, machine);
  const translation = found ?? refused?.translation;
  if (!translation) return <NoWalk {...props} />;
  return (
    <Walk
      {...props}
      translation={translation}
      refusal={refused?.refusal ?? null}
    />
  );
}

interface WalkProps extends WalkPanelProps {
  readonly translation: TranslationView;
  readonly refusal: Refusal | null;
}

function Walk(props: WalkProps) {
  const { machine, step, translation, refusal, tools = null } = props;
  const { which = 0, phone = false, low = false, onNextWalk } = props;
  const title = useId();
  const { levels } = translation;
  const { kind } = step.access;
  const walk = { translation, machine, kind, refusal };
  const steps = nativeSteps(walk);
  const choice = useNativeWalk(
    `${step.index} ${which}`,
    steps,
    defaultLevel(translation),
    props.owned,
  );
  const { at, shown, pinned } = choice;
  const level = levels[shown] ?? levels.at(-1);
  const current = at === null ? undefined : steps[at];
  const walked = translation.refs > 0;
  const picture = { translation, machine, steps, choice, refusal };
  const isTight = low || phone;
  // A low screen has room for the step in words or for the entry's bits.
  const showsLines = !isTight || (low ? at !== null : pinned);
  const showsBits = !isTight || (low ? pinned && at === null : pinned);
  return (
    <section
      className={phone ? "walk walk-phone" : low ? "walk walk-low" : "walk"}
      data-picture=""
      data-lit={
        current?.kind === "page"
          ? "offset"
          : current?.tables.map((table) => levels[table]?.level).join(" ")
      }
      aria-labelledby={title}
    >
      <header className="walk-head">
        <h2 id={title} {...placesOf("walk")}>
          <Term term="page-walk">Walk</Term>
        </h2>
        <TraceTag />
        <span className="walk-summary">
          {phone && translation.outcome === "fault" && !refusal ? (
            <>
              <Glyph outcome="fault" /> <b>first touch</b>, then{" "}
            </>
          ) : null}
          {refusal
            ? `page fault, not served: ${refusal.field}`
            : walkSummary(
                translation,
                machine,
                phone,
                reachedOf(steps, at, levels.length).tables,
              )}
          {!walked && onNextWalk ? (
            <button type="button" className="walk-next" onClick={onNextWalk}>
              Next walk <kbd>W</kbd>
            </button>
          ) : null}
        </span>
        {tools}
        {phone ? null : <WalkLegend machine={machine} levels={levels} />}
        <SavePicture
          what={`Walk at access ${step.index}`}
          tables={[
            {
              csv: async () => {
                const { walkCsv } =
                  await import("../../model/replay/pictureCsv");
                return walkCsv(translation);
              },
            },
          ]}
        />
      </header>
      {phone ? (
        <WalkRows {...picture} />
      ) : (
        <WalkColumns
          {...picture}
          kind={kind}
          root={step.root}
          changed={levels.map((each) => changeOf(step, each) !== null)}
        />
      )}
      {/* Beside the list: it may hold nothing but its options. */}
      <p className="visually-hidden" aria-live="polite">
        {current && at !== null
          ? `Step ${at + 1} of ${steps.length}: ${stepSentence(current, walk)}`
          : ""}
      </p>
      <div className="walk-foot">
        <NativeStepBand
          steps={steps}
          choice={choice}
          levels={levels}
          machine={machine}
          folded={!showsLines}
        />
        {level && showsBits ? (
          <EntryBits level={level} change={changeOf(step, level)} />
        ) : null}
      </div>
    </section>
  );
}

/** Shown if the access ended without a walk: the frame with the reason. */
function NoWalk({ step, machine, phone = false }: WalkPanelProps) {
  const title = useId();
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
          <b>{ending.title}</b>: {ending.cause}
        </p>
      ) : null}
    </section>
  );
}

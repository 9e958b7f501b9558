/**
 * A nested walk in two panels: the grid, and next to it the skipped references and the selected one. The
 * second panel can show the TLBs instead (`tlb`).
 */
import { SavePicture } from "../shared/picture/SavePicture";
import { counted } from "../../model/shared/format";
import { placesOf } from "../shared/terms/places";
import { Term } from "../shared/terms/Term";
import { TraceTag } from "../shared/TraceTag";
import { useId } from "react";
import type { ReactNode } from "react";
import type { MachineView } from "../../engine/generated/MachineView";
import type { NestedView } from "../../engine/generated/NestedView";
import type { StepView } from "../../engine/generated/StepView";
import type { TranslationView } from "../../engine/generated/TranslationView";
import { cellChanges } from "../../model/walk/nested/changes";
import { skipSources } from "../../model/walk/nested/caches";
import { gridSummary, nestedGrid, sumOf } from "../../model/walk/nested/grid";
import { reachedCells, walkSteps } from "../../model/walk/nested/steps";
import { nestedCsv } from "../../model/replay/pictureCsv";
import { violationLines, violationText } from "../../model/walk/nested/text";
import type { ArrayColumns } from "../../model/tlb/array";
import { walkSummary } from "../../model/walk/tables";
import { Glyph } from "../shared/Glyph";
import { Segmented } from "../shared/Segmented";
import { NestedGrid } from "./NestedGrid";
import { NestedReference } from "./NestedReference";
import { SkipList } from "./SkipList";
import { useNestedWalk } from "./useNestedWalk";
import type { NestedChoice } from "./useNestedWalk";
import type { OwnedStep } from "./useStepping";
import { WalkLegend } from "./WalkLegend";
import type { Low } from "../../model/walk/nested/layout";
import type { Words } from "../../model/words/vocabulary";
import "./walk.css";
import "./step.css";
import "./nested.css";

/** The content of the second panel. */
export type NestedSide = "walk" | "tlb";

export interface NestedPanelsProps {
  readonly machine: MachineView;
  readonly step: StepView;
  readonly columns: readonly ArrayColumns[];
  /** The translation to show: 0, or 1 for the second page of a straddling access. */
  readonly which?: number;
  readonly phone?: boolean;
  /** For a low screen. */
  readonly low?: Low;
  /** Controls of the panel's owner, in the head. */
  readonly tools?: ReactNode;
  /** The step of the walk, where the panel's owner keeps it. */
  readonly owned?: OwnedStep;
  readonly side: NestedSide;
  readonly onSide: (side: NestedSide) => void;
  /** The content of the TLB panel. */
  readonly tlb: ReactNode;
  readonly onStructure?: (structure: number) => void;
  /** Moves the replay to the next access that walks. */
  readonly onNextWalk?: () => void;
}

export function NestedPanels(props: NestedPanelsProps) {
  const { step, which = 0 } = props;
  const translation = step.translations[which] ?? step.translations[0];
  const nested = translation?.nested;
  if (!translation || !nested) return null;
  return <Panels {...props} translation={translation} nested={nested} />;
}

interface PanelsProps extends NestedPanelsProps {
  readonly translation: TranslationView;
  readonly nested: NestedView;
}

function Panels(props: PanelsProps) {
  const { machine, step, columns, translation, nested } = props;
  const { which = 0, phone = false, low = false, side, onSide, tlb } = props;
  const title = useId();
  const grid = nestedGrid(nested, translation, machine);
  const steps = walkSteps(grid);
  const choice = useNestedWalk(
    `${step.index} ${which}`,
    grid,
    steps,
    props.owned,
  );
  const { read, of } = sumOf(grid.cells);
  const reached = reachedCells(grid, steps, choice.at);
  const walked = read > 0;
  const changes = cellChanges(step, grid);
  const shared = { machine, translation, nested, grid, steps, choice, changes };
  const reference = <NestedReference {...shared} />;
  const switcher = (
    <Segmented<NestedSide>
      label="Next to the walk"
      choices={[
        { value: "walk", label: "Walk caches" },
        { value: "tlb", label: "TLB" },
      ]}
      value={side}
      onChange={onSide}
    />
  );
  return (
    <>
      <section
        className={phone ? "walk walk-phone" : "walk"}
        data-picture=""
        data-lit={litLevels(choice)}
        aria-labelledby={title}
      >
        <header className="walk-head">
          <h2 id={title} {...placesOf("walk")}>
            <Term term="nested-walk">Nested walk</Term>
          </h2>
          <TraceTag />
          <Summary
            {...props}
            walked={walked}
            text={gridSummary(grid, phone || low !== false, reached)}
            words={grid.words}
          />
          {props.tools}
          {phone ? null : <WalkLegend machine={machine} />}
          <SavePicture
            what={`Nested walk at access ${step.index}`}
            tables={[{ csv: () => nestedCsv(nested, grid.words) }]}
          />
        </header>
        <NestedGrid {...shared} initial={phone ? 358 : 940} low={low} />
        {phone ? reference : null}
      </section>
      {phone ? (
        <>
          <section className="nested-side">
            <SideHead skipped={of - read} walked={walked} />
            <SkipList sources={skipSources({ ...shared, columns })} />
          </section>
          {tlb}
        </>
      ) : side === "tlb" ? (
        <div className="nested-side nested-tlb">
          <div className="nested-switch">{switcher}</div>
          {tlb}
        </div>
      ) : (
        <section className="nested-side">
          <SideHead skipped={of - read} walked={walked}>
            {switcher}
          </SideHead>
          <SkipList
            sources={skipSources({ ...shared, columns })}
            {...(props.onStructure ? { onStructure: props.onStructure } : {})}
          />
          {reference}
        </section>
      )}
    </>
  );
}

/** The guest's level whose index the current step uses. */
function litLevels({ at, selected }: NestedChoice): string | undefined {
  if (at === null || selected?.view.dimension !== "guest") return undefined;
  return String(selected.view.level);
}

function SideHead({
  skipped,
  walked,
  children,
}: {
  readonly skipped: number;
  readonly walked: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <header className="nested-side-head">
      <h2>
        {!walked
          ? "No reference was needed"
          : skipped === 0
            ? "Nothing was skipped"
            : `What skipped ${counted(skipped, "reference")}`}
      </h2>
      <span className="nested-space" />
      {children}
    </header>
  );
}

/** One line on what happened, and a button to the next walk if there was none. */
function Summary({
  machine,
  translation,
  nested,
  walked,
  text,
  words,
  phone = false,
  onNextWalk,
}: PanelsProps & {
  readonly walked: boolean;
  readonly text: string;
  readonly words: Words;
}) {
  const violations = violationText(nested, words);
  return (
    <span
      className="walk-summary"
      title={violationLines(nested, words).join("\n")}
    >
      {translation.outcome === "fault" ? (
        <>
          <Glyph outcome="fault" /> <b>first touch</b>, then{" "}
        </>
      ) : null}
      {walked ? text : walkSummary(translation, machine, phone)}
      {violations !== null && !phone ? ` · ${violations}` : ""}
      {!walked && onNextWalk ? (
        <button type="button" className="walk-next" onClick={onNextWalk}>
          Next walk <kbd>W</kbd>
        </button>
      ) : null}
    </span>
  );
}

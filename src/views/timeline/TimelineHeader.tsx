import { useRef } from "react";
import type { ReactNode } from "react";
import { count, counted, range } from "../../model/shared/format";
import { HEAT } from "../../model/shared/theme";
import { STACK } from "../../model/timeline/bars";
import type { Stacked } from "../../model/timeline/bars";
import type { Span } from "../../model/timeline/counts";
import {
  axisEnds,
  densityLimits,
  extentLabel,
} from "../../model/timeline/scale";
import type { Crop } from "../../model/timeline/scale";
import type { Share } from "../../model/shared/units";
import { Glyph } from "../shared/Glyph";
import { Icon } from "../shared/Icon";
import { LegendItem, OutcomeLegend, Ramp } from "../shared/Legend";
import { useOutcomeWord } from "../shared/outcomeWords";
import { TraceTag } from "../shared/TraceTag";
import { Segmented } from "../shared/Segmented";
import { Tooltip } from "../shared/Tooltip";
import { useFit } from "../shared/useFit";

export interface CropSwitch {
  readonly choice: Crop;
  /** The top of the cropped axis; 1 if nothing is cropped. */
  readonly cropped: Share;
  /** The number of bars that are taller than the axis. */
  readonly cut: number;
  readonly onChange: (choice: Crop) => void;
}

export interface TimelineHeaderProps {
  readonly crop: CropSwitch;
  /** The number of accesses in the densest cell. */
  readonly densest: number;
  readonly span: Span;
  /** Whether the window is the whole trace. */
  readonly whole: boolean;
  readonly partial: boolean;
  /** What the timeline is limited to, and how to show everything again. */
  readonly only:
    { readonly label: string; readonly onAll: () => void } | undefined;
  readonly compact: boolean;
  /** Whether an exception ended an access of the window. */
  readonly exceptions: boolean;
  readonly actions: ReactNode;
  readonly onReset: () => void;
  /** Missing if the window has no operation. */
  readonly onNextOperation: (() => void) | undefined;
}

/** What a line without space leaves out, the highest rank first. */
const PARTS = [
  { id: "density", rank: 2 },
  { id: "fills", rank: 1 },
];

export function TimelineHeader(props: TimelineHeaderProps) {
  const { crop, densest, span, whole, partial, compact, actions } = props;
  const { onReset, onNextOperation, only, exceptions } = props;
  const stacked = STACK.filter(
    (outcome) => exceptions || outcome !== "exception",
  );
  const line = useRef<HTMLElement>(null);
  // Other outcomes and controls need another space.
  const parts = [exceptions, whole, partial, only?.label, !onNextOperation];
  const gone = useFit(line, [...PARTS, { id: parts.join() }]);
  const isShort = compact || gone.has("fills");
  return (
    <header ref={line} className="timeline-header">
      <h2>Outcome over time</h2>
      <TraceTag />
      {only ? (
        <span className="timeline-note timeline-only">
          only <b>{only.label}</b>
          <button
            type="button"
            className="btn quiet icon"
            aria-label={`Show all accesses, not only ${only.label}`}
            onClick={only.onAll}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ) : null}
      {partial ? <span className="timeline-note">so far</span> : null}
      {isShort ? (
        <ShortLegend outcomes={stacked} />
      ) : (
        <FullLegend outcomes={stacked} />
      )}
      {onNextOperation ? <OperationLegend onNext={onNextOperation} /> : null}
      <span className="timeline-space" />
      {whole ? null : <Window span={span} onReset={onReset} />}
      {compact || gone.has("density") || densest === 0 ? null : (
        <DensityLegend densest={densest} />
      )}
      <CropControl {...crop} />
      <span className="timeline-actions">{actions}</span>
    </header>
  );
}

interface LegendProps {
  /** The outcomes with an area of their own. */
  readonly outcomes: readonly Stacked[];
}

function FullLegend({ outcomes }: LegendProps) {
  return (
    <span className="timeline-legend">
      <OutcomeLegend outcomes={outcomes} />
      <OutcomeLegend
        outcomes={["l1-hit"]}
        words={{ "l1-hit": "the rest are L1 hits" }}
      />
    </span>
  );
}

/** The legend without fills: glyph and word. */
function ShortLegend({ outcomes }: LegendProps) {
  const outcomeWord = useOutcomeWord();
  return (
    <span className="timeline-legend">
      {outcomes.map((outcome) => (
        <LegendItem key={outcome}>
          <Glyph outcome={outcome} />
          {outcomeWord(outcome)}
        </LegendItem>
      ))}
    </span>
  );
}

/** Explains the marks under the bars; a click goes to the next one. */
function OperationLegend({ onNext }: { readonly onNext: () => void }) {
  return (
    <button
      type="button"
      className="plain-button timeline-next-operation"
      aria-keyshortcuts="O"
      title="Next operation (O): a process switch, an invalidation, or a mapping change"
      onClick={onNext}
    >
      <svg width="9" height="9" viewBox="-4.5 -4.5 9 9" aria-hidden="true">
        <path
          className="timeline-operation"
          d="M0-3.5l3.5 3.5-3.5 3.5-3.5-3.5z"
        />
      </svg>
      operation <kbd>O</kbd>
    </button>
  );
}

function Window({
  span,
  onReset,
}: {
  readonly span: Span;
  readonly onReset: () => void;
}) {
  return (
    <span className="timeline-window">
      <span className="timeline-window-range">
        {range(span.from, Math.max(span.from, span.to - 1))}
      </span>
      <button type="button" className="btn timeline-reset" onClick={onReset}>
        <Icon name="whole" size={14} />
        whole trace
      </button>
    </span>
  );
}

function DensityLegend({ densest }: { readonly densest: number }) {
  const limits = densityLimits(densest);
  const steps = limits
    .map((limit, step) => ({
      low: step === 0 ? 1 : (limits[step - 1] ?? 0) + 1,
      limit,
      token: HEAT[step + 1],
    }))
    .filter(({ low, limit }) => low <= limit);
  const content = (
    <>
      <p className="tip-title">Accesses per cell</p>
      <ul className="timeline-steps">
        {steps.map(({ low, limit, token }) => (
          <li key={limit}>
            {token === undefined ? null : <Ramp tokens={[token]} />}{" "}
            {range(low, limit)}
          </li>
        ))}
      </ul>
      <p className="tip-note">
        A cell with a walk, a page fault or an exception always has the lightest
        shade.
      </p>
    </>
  );
  return (
    <Tooltip content={content} tap>
      <button type="button" className="timeline-density">
        accesses per cell <Ramp tokens={HEAT.slice(1)} />{" "}
        <span className="timeline-nowrap">1 … {count(densest)}</span>
      </button>
    </Tooltip>
  );
}

function CropControl({ choice, cropped, cut, onChange }: CropSwitch) {
  const ends = axisEnds(cropped);
  if (ends.length < 2) return null;
  return (
    <>
      {cut > 0 ? (
        <span className="timeline-note">▴ {counted(cut, "taller bar")}</span>
      ) : null}
      <span className="timeline-axis">
        <span className="timeline-note">axis</span>
        <Segmented<Crop>
          label="Outcome axis"
          value={choice}
          choices={ends.map(({ value, top }) => ({
            value,
            label: extentLabel(top),
          }))}
          onChange={onChange}
        />
      </span>
    </>
  );
}

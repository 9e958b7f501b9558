/** The strip under the header: the trace, and the totals of its run. */
import { useRef } from "react";
import type { ReactNode } from "react";
import type { RunWindow } from "../../engine/generated/RunWindow";
import type { MachineView } from "../../engine/generated/MachineView";
import type { RunReport } from "../../engine/generated/RunReport";
import type { TimelineView } from "../../engine/generated/TimelineView";
import type { TraceView } from "../../engine/generated/TraceView";
import { count } from "../../model/shared/format";
import { countedText, windowLines } from "../../model/shared/runWindow";
import {
  cyclesPerAccess,
  exceptionsTotal,
  ratesOf,
} from "../../model/totals/figures";
import type { Total } from "../../model/totals/figures";
import { refsPerWalk, shadowExits } from "../../model/totals/virt";
import { toolName } from "../../model/import/formats";
import {
  completenessMeaning,
  completenessWord,
  touchedText,
} from "../../model/import/traceText";
import { Icon } from "../shared/Icon";
import { Explained, Figure } from "../shared/Quantity";
import { usePlain } from "../shared/plain";
import { Tooltip } from "../shared/Tooltip";
import { useFit } from "../shared/useFit";
import "./traceBar.css";

export interface TraceBarProps {
  readonly trace: TraceView;
  /** Whether it is an example of the app: then even a list of addresses is complete. */
  readonly isExample?: boolean;
  /** What shows the trace's name; missing = its text. */
  readonly name?: ReactNode;
  /** The timeline of the trace on the machine; missing until it is computed. */
  readonly timeline?: TimelineView | undefined;
  /** The machine of the report. */
  readonly machine?: MachineView | undefined;
  /** `null` until the first run has finished. */
  readonly report: RunReport | null;
  /** The part of the trace that the report counts; missing = the whole trace. */
  readonly window?: RunWindow | undefined;
  /** Whether the run is still in progress. */
  readonly partial?: boolean;
  /** Whether the report belongs to a previous configuration. */
  readonly stale?: boolean;
  /** The short form for phones. */
  readonly compact?: boolean;
  /** Whether all totals are shown. */
  readonly showsAll?: boolean;
  /** Shows or hides all totals. */
  readonly onAll?: () => void;
  /** Whether its shortcut keys work: they belong to the replay. */
  readonly hasKeys?: boolean;
  /** Whether the run can be saved. */
  readonly canSave?: boolean;
  /** Saves the run, to compare it with later ones. */
  readonly onSave?: () => void;
}

/** What a strip without space leaves out, the highest rank first. “Totals” has all numbers. */
const PARTS = [
  { id: "references", rank: 4 },
  { id: "cycles", rank: 3 },
  { id: "denominator", rank: 2 },
  { id: "completeness", rank: 1 },
];

export function TraceBar({
  trace,
  isExample = false,
  name,
  timeline,
  machine,
  report,
  window,
  partial = false,
  stale = false,
  compact = false,
  showsAll = false,
  onAll,
  hasKeys = true,
  canSave = true,
  onSave,
}: TraceBarProps) {
  const { completeness, format, part, guessed } = trace.import;
  const unknown = isExample ? undefined : format;
  const rates = report && ratesOf(report, machine);
  const exceptions = report && exceptionsTotal(report);
  const plain = usePlain();
  const refs =
    !plain &&
    report &&
    (refsPerWalk(report, machine) ?? shadowExits(report, machine));
  const strip = useRef<HTMLElement>(null);
  // Another trace or run needs another space.
  const words = [trace.name, rates?.miss.value, exceptions?.value].join();
  const gone = useFit(strip, compact ? [] : [...PARTS, { id: words }]);
  return (
    <section
      ref={strip}
      className="trace-bar"
      aria-label="Trace"
      data-compact={compact || undefined}
      data-full={gone.has("completeness") || undefined}
      data-samples={trace.samples !== undefined || undefined}
    >
      {name ?? (
        <span className="trace-name" title={trace.name}>
          {trace.name}
        </span>
      )}
      {gone.has("completeness") ? null : (
        <Part>
          <Tooltip
            content={completenessMeaning(completeness, unknown, part, guessed)}
            tap
          >
            <button type="button" className="plain-button">
              {completenessWord(completeness, unknown, part, guessed)}
              {trace.samples === undefined ? "" : ", as if consecutive"}
            </button>
          </Tooltip>
        </Part>
      )}
      {compact ? null : (
        <span className="trace-more">
          <Part>
            {window ? (
              <Counted window={window} nAccesses={trace.n_accesses} />
            ) : (
              <>
                <b>{count(trace.n_accesses)}</b>{" "}
                {trace.n_accesses === 1 ? "access" : "accesses"}
              </>
            )}
          </Part>
          <Part>{toolName(format)}</Part>
          {plain ? null : <Part>{touchedText(trace, timeline)}</Part>}
        </span>
      )}
      <span className="trace-space" />
      {report && rates ? (
        <span className="trace-totals" data-stale={stale || undefined}>
          {partial ? <span className="trace-so-far">so far</span> : null}
          {compact && window ? (
            <span className="trace-so-far">counted part</span>
          ) : null}
          <span className="trace-rates">
            {gone.has("denominator") ? null : (
              <span className="trace-rates-of">of {rates.of}:</span>
            )}
            <TotalFigure
              total={rates.miss}
              label={compact ? "miss" : undefined}
            />
            <TotalFigure total={rates.walk} />
          </span>
          {exceptions ? (
            <span>
              <TotalFigure total={exceptions} />
            </span>
          ) : null}
          {refs && !compact && !gone.has("references") ? (
            <span className="trace-refs">
              <TotalFigure total={refs} />
            </span>
          ) : null}
          {compact || gone.has("cycles") ? null : (
            <TotalFigure total={cyclesPerAccess(report, machine)} />
          )}
        </span>
      ) : null}
      {report && onSave && !compact ? (
        <button
          type="button"
          className="btn trace-all trace-save"
          aria-disabled={!canSave}
          aria-keyshortcuts={hasKeys ? "S" : undefined}
          title={
            canSave
              ? `Save the run to compare it with later ones${hasKeys ? " (S)" : ""}`
              : "The run has not finished yet"
          }
          onClick={() => {
            if (canSave) onSave();
          }}
        >
          Save run
        </button>
      ) : null}
      {report && onAll && !compact ? (
        <button
          type="button"
          className="btn trace-all"
          aria-expanded={showsAll}
          aria-keyshortcuts={hasKeys ? "T" : undefined}
          title={`All totals of the run${hasKeys ? " (T)" : ""}`}
          onClick={onAll}
        >
          Totals <Icon name="chevron" size={12} />
        </button>
      ) : null}
    </section>
  );
}

/** The part of the trace that the totals count. */
function Counted({
  window,
  nAccesses,
}: {
  readonly window: RunWindow;
  readonly nAccesses: number;
}) {
  const content = windowLines(window, nAccesses).map((line) => (
    <div key={line}>{line}</div>
  ));
  return (
    <Tooltip content={content} tap>
      <button type="button" className="plain-button trace-counted">
        {countedText(window, nAccesses)}
      </button>
    </Tooltip>
  );
}

function Part({ children }: { readonly children: ReactNode }) {
  return (
    <span className="trace-part">
      <span className="trace-dot" aria-hidden="true">
        ·
      </span>
      {children}
    </span>
  );
}

function TotalFigure({
  total,
  label,
}: {
  readonly total: Total;
  readonly label?: string | undefined;
}) {
  const formula = total.formula.map((line) => <div key={line}>{line}</div>);
  return (
    <Figure
      label={
        <Explained
          content={formula}
          model={total.model}
          {...(total.term && { term: total.term })}
        >
          {label ?? total.label}
        </Explained>
      }
      value={total.value}
      unit={total.unit}
    />
  );
}

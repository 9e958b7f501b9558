/**
 * The access band: what was accessed and by whom, its address bit by bit, and the trail of
 * structures that it went through with what it cost. Give `which` and `onWhich` for accesses
 * that straddle two pages; `phone` for the layout of a narrow screen; `announce` while the
 * replay stands still, so that screen readers read each step aloud and not a whole run.
 */
import type { AccessView } from "../../engine/generated/AccessView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import { bitFields } from "../../model/replay/bits";
import { counted } from "../../model/shared/format";
import { hexGroups } from "../../model/shared/hex";
import { endingOf, noTranslation } from "../../model/replay/noTranslation";
import { sentence } from "../../model/replay/sentence";
import { Segmented } from "../shared/Segmented";
import { TraceTag } from "../shared/TraceTag";
import { BitFields } from "./BitFields";
import { BitStrip } from "./BitStrip";
import { Ending } from "./Ending";
import { OutcomeLine } from "./OutcomeLine";
import { Flight } from "./Flight";
import { Trail } from "./Trail";
import "./access.css";

export interface AccessBandProps {
  readonly machine: MachineView;
  readonly step: StepView;
  /** The translation that is shown: 0, or 1 for the second page of a straddling access. */
  readonly which?: number;
  readonly onWhich?: (which: number) => void;
  readonly phone?: boolean;
  readonly announce?: boolean;
  /** Lets a filled translation fly to its slot: while stepping, or playing slowly. */
  readonly fly?: boolean;
  /** Whose core the access happened on, and in which virtual machine: `thread 41, VM 2`; empty where there is one. */
  readonly core?: string;
  /** A click on "filled L1 set 5 way 3" shows that array. */
  readonly onStructure?: (structure: number) => void;
}

export function AccessBand({
  machine,
  step,
  which = 0,
  onWhich,
  phone = false,
  announce = false,
  fly = false,
  core = "",
  onStructure,
}: AccessBandProps) {
  const translation =
    step.translations[which] ?? step.translations[0] ?? noTranslation(step);
  const ending = endingOf(step, machine);
  const hasBits = translation.levels.length > 0;
  const { access, translations } = step;
  const second = translations.length > 1 && which === 1;
  // A recording that does not know the size says 0.
  const size = access.size === 0 ? "" : `${access.size} B `;
  return (
    <section
      className={phone ? "access access-phone" : "access"}
      aria-label="Access"
    >
      <p className="visually-hidden" aria-live={announce ? "polite" : "off"}>
        {sentence({ step }, machine)}
      </p>
      {fly ? <Flight step={step} translation={translation} /> : null}
      <div className="access-body">
        <div className="access-left">
          <div className="access-who">
            <div className="access-kind">
              <span>
                <b>{access.kind}</b> {size}
                {second ? "ends at" : "at"}
              </span>
              {translations.length > 1 && onWhich ? (
                <Segmented
                  label={`This access lies in ${counted(translations.length, "page")}`}
                  choices={translations.map((_, at) => ({
                    value: String(at),
                    label: `${at + 1} of ${translations.length}`,
                  }))}
                  value={String(which)}
                  onChange={(value) => onWhich(Number(value))}
                />
              ) : null}
              <TraceTag />
            </div>
            <div className="access-address">
              {hexGroups(translation.address).map((group, at) => (
                <span key={at}>{group}</span>
              ))}
            </div>
            <div className="access-ip">{byText(access, core)}</div>
          </div>
          {!hasBits ? null : phone ? (
            <BitFields fields={bitFields(translation)} />
          ) : (
            <BitStrip translation={translation} machine={machine} />
          )}
        </div>
        {ending ? (
          <Ending ending={ending} />
        ) : phone ? (
          <OutcomeLine
            translation={translation}
            machine={machine}
            kind={access.kind}
          />
        ) : (
          <Trail
            translation={translation}
            machine={machine}
            kind={access.kind}
            {...(onStructure ? { onStructure } : {})}
          />
        )}
      </div>
    </section>
  );
}

/** `by 0x4011ad, thread 41`: the instruction, and the core where there are several. */
function byText({ ip, kind }: AccessView, core: string): string {
  const instruction =
    ip === null ? "" : kind === "fetch" ? "instruction fetch" : `by ${ip}`;
  const parts = [instruction, core].filter((part) => part !== "");
  // A space keeps the line's height.
  return parts.length === 0 ? " " : parts.join(", ");
}

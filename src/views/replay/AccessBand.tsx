/**
 * The access band: what was accessed and by whom, the address bit by bit, the access in words, and the trail
 * of structures with their cost. `which` and `onWhich` are for accesses that straddle two pages; `phone` is
 * the layout for narrow screens.
 */
import { Suspense, lazy } from "react";
import type { ReactNode } from "react";
import type { AccessView } from "../../engine/generated/AccessView";
import type { MachineView } from "../../engine/generated/MachineView";
import type { StepView } from "../../engine/generated/StepView";
import { bitFields } from "../../model/replay/bits";
import { counted } from "../../model/shared/format";
import { hexGroups } from "../../model/shared/hex";
import { endingOf, noTranslation } from "../../model/replay/noTranslation";
import { refusedWalk } from "../../model/walk/refused";
import { useAsking } from "../shared/asking";
import { Segmented } from "../shared/Segmented";
import { TraceTag } from "../shared/TraceTag";
import { BitFields } from "./BitFields";
import { BitStrip } from "./BitStrip";
import { Ending } from "./Ending";
import { OutcomeLine } from "./OutcomeLine";
import { Trail } from "./Trail";
import "./access.css";
import "./bits.css";

/** Nothing flies before the first step. */
const Flight = lazy(() =>
  import("./Flight").then((module) => ({ default: module.Flight })),
);

export interface AccessBandProps {
  readonly machine: MachineView;
  readonly step: StepView;
  /** The translation to show: 0, or 1 for the second page of a straddling access. */
  readonly which?: number;
  readonly onWhich?: (which: number) => void;
  readonly phone?: boolean;
  /** The name of the band, if a page has several. */
  readonly label?: string;
  /** The access in words. */
  readonly words?: ReactNode;
  /** Animates a filled translation on its way to its slot: while stepping, or playing slowly. */
  readonly fly?: boolean;
  /** The core of the access, and its virtual machine: `thread 41, VM 2`; empty if there is only one core. */
  readonly core?: string;
  /** What can be done with the access. */
  readonly tools?: ReactNode;
  /** The array whose key the bits show; missing = what the access used. */
  readonly keyOf?: number | undefined;
  /** Whether the bits of a small machine are on a phone. */
  readonly tight?: boolean;
}

export function AccessBand({
  machine,
  step,
  which = 0,
  onWhich,
  phone = false,
  label = "Access",
  words,
  fly = false,
  core = "",
  keyOf,
  tools,
  tight = false,
}: AccessBandProps) {
  const translation =
    step.translations[which] ??
    step.translations[0] ??
    refusedWalk(step, machine)?.translation ??
    noTranslation(step);
  const isAsking = useAsking() !== null;
  const ending = endingOf(step, machine);
  const hasBits = translation.levels.length > 0;
  const { access, translations } = step;
  const second = translations.length > 1 && which === 1;
  // A size of 0 means that the recording does not know it.
  const size = access.size === 0 ? "" : `${access.size} B `;
  return (
    <section
      className={phone ? "access access-phone" : "access"}
      aria-label={label}
    >
      {fly ? (
        <Suspense>
          <Flight step={step} translation={translation} />
        </Suspense>
      ) : null}
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
                  label={`This access touches ${counted(translations.length, "page")}`}
                  choices={translations.map((_, at) => ({
                    value: String(at),
                    label: `${at + 1} of ${translations.length}`,
                  }))}
                  value={String(which)}
                  onChange={(value) => onWhich(Number(value))}
                />
              ) : null}
              <TraceTag />
              {tools}
            </div>
            <div className="access-address">
              {hexGroups(translation.address).map((group, at) => (
                <span key={at}>{group}</span>
              ))}
            </div>
            <div className="access-ip">{byText(access, core)}</div>
          </div>
          {!hasBits ? null : phone ? (
            <BitFields fields={bitFields(translation, isAsking)} />
          ) : (
            <BitStrip
              translation={translation}
              machine={machine}
              keyOf={keyOf}
              tight={tight}
            />
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
          />
        )}
        {words}
      </div>
    </section>
  );
}

/** The instruction, and the core if there are several: `instruction at 0x4011ad, thread 41`. */
function byText({ ip, kind }: AccessView, core: string): string {
  const instruction =
    ip === null
      ? ""
      : kind === "fetch"
        ? "instruction fetch"
        : `instruction at ${ip}`;
  const parts = [instruction, core].filter((part) => part !== "");
  // A non-breaking space keeps the height of the line.
  return parts.length === 0 ? " " : parts.join(", ");
}

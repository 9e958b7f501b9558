/** Huge pages for code: which code, whether its tail is padded, and the largest number. */
import type { AdaptiveConfig } from "../../engine/generated/AdaptiveConfig";
import type { HugetextConfig } from "../../engine/generated/HugetextConfig";
import { CheckField } from "./CheckField";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { without } from "./without";

export interface HugetextSectionProps {
  /** Path of the settings: `os.hugetext`. */
  readonly path: string;
  readonly hugetext: HugetextConfig;
  /** The huge page size: `2M`. */
  readonly huge: string;
  /** A host cannot see instruction fetches of its guests, so its cap is fixed. */
  readonly isHost: boolean;
  readonly onChange: (hugetext: HugetextConfig) => void;
}

const MODES = [
  { value: "1", word: "1: text of files" },
  { value: "2", word: "2: anonymous (JIT)" },
  { value: "3", word: "3: both" },
] as const;

/** The settings that the checkbox turns on. */
const NEW_CLIMB: AdaptiveConfig = { every: 100_000 };

export function HugetextSection(props: HugetextSectionProps) {
  const { path, hugetext, huge, isHost, onChange } = props;
  const { adaptive } = hugetext;
  const mode = MODES.find(({ value }) => value === String(hugetext.enabled));
  return (
    <section className="config-section" data-testid={path}>
      <div className="config-head">
        <h3>Huge pages for code</h3>
        <span className="t3 small">for regions with the policy hugetext</span>
      </div>
      <div className="config-fields config-os">
        <ChoiceField
          path={`${path}.enabled`}
          label="code"
          name="Which code gets huge pages"
          help="1: text of programs and libraries. 2: executable memory without a file, such as JIT code. 3: both."
          choices={MODES}
          value={mode?.value ?? "3"}
          onChange={(enabled) =>
            onChange({ ...hugetext, enabled: Number(enabled) })
          }
        />
        <NumberField
          path={`${path}.pad_threshold`}
          label="pad tails above, bytes"
          name="Padding threshold of tails in bytes"
          help={`If the tail after the last whole ${huge} is longer than this, it gets a padded page of ${huge} too. 0: never.`}
          value={hugetext.pad_threshold}
          onChange={(bytes) =>
            onChange({ ...hugetext, pad_threshold: bytes ?? 0 })
          }
        />
        <NumberField
          path={`${path}.max`}
          label="huge pages, at most"
          name="Huge pages for code at most"
          help={
            adaptive
              ? "For all processes together; the adaptive cap never exceeds it."
              : "Per process; the processes with the most fetches in the trace get them. A cap keeps code from evicting itself in a small iTLB."
          }
          empty="no limit"
          value={hugetext.max}
          onChange={(max) =>
            onChange({
              ...without(hugetext, "max"),
              ...(max !== undefined && { max }),
            })
          }
        />
      </div>
      {isHost && !adaptive ? null : (
        <CheckField
          path={`${path}.adaptive`}
          label="The cap adapts: it moves to where translation costs the fewest cycles"
          help="Code starts in small pages. After each window the cap moves on if the window cost no more cycles than the previous one; otherwise it turns back by half the step. The code fetched most gets the huge pages."
          value={adaptive !== undefined}
          onChange={(isOn) =>
            onChange(
              isOn
                ? { ...hugetext, adaptive: NEW_CLIMB }
                : without(hugetext, "adaptive"),
            )
          }
        />
      )}
      {adaptive ? (
        <div className="config-fields config-os config-inset">
          <NumberField
            path={`${path}.adaptive.every`}
            label="window, accesses"
            name="Accesses of a window"
            value={adaptive.every}
            onChange={(every) =>
              onChange({
                ...hugetext,
                adaptive: { ...adaptive, every: every ?? 0 },
              })
            }
          />
          <NumberField
            path={`${path}.adaptive.step`}
            label="first step, huge pages"
            name="First step of the cap in huge pages"
            empty="8"
            value={adaptive.step}
            onChange={(step) =>
              onChange({
                ...hugetext,
                adaptive: {
                  ...without(adaptive, "step"),
                  ...(step !== undefined && { step }),
                },
              })
            }
          />
        </div>
      ) : null}
      <RowProblems path={path} />
    </section>
  );
}

/** Huge pages for code: which code, whether its tail is padded, and how many at most. */
import type { AdaptiveConfig } from "../../engine/generated/AdaptiveConfig";
import type { HugetextConfig } from "../../engine/generated/HugetextConfig";
import { CheckField } from "./CheckField";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { without } from "./without";

export interface HugetextSectionProps {
  /** `os.hugetext`. */
  readonly path: string;
  readonly hugetext: HugetextConfig;
  /** The pages it makes: `2M`. */
  readonly huge: string;
  /** A host does not see what its guests fetch: its cap is fixed. */
  readonly isHost: boolean;
  readonly onChange: (hugetext: HugetextConfig) => void;
}

const MODES = [
  { value: "1", word: "1: text of files" },
  { value: "2", word: "2: anonymous (JIT)" },
  { value: "3", word: "3: both" },
] as const;

/** As it is switched on. */
const NEW_CLIMB: AdaptiveConfig = { every: 100_000 };

export function HugetextSection(props: HugetextSectionProps) {
  const { path, hugetext, huge, isHost, onChange } = props;
  const { adaptive } = hugetext;
  const mode = MODES.find(({ value }) => value === String(hugetext.enabled));
  return (
    <section className="config-section" data-testid={path}>
      <div className="config-head">
        <h3>Huge pages for code</h3>
        <span className="t3 small">regions with the policy hugetext</span>
      </div>
      <div className="config-fields config-os">
        <ChoiceField
          path={`${path}.enabled`}
          label="code"
          name="Which code gets huge pages"
          help="1: text of programs and libraries. 2: executable memory without a file, such as the code of a JIT compiler. 3: both."
          choices={MODES}
          value={mode?.value ?? "3"}
          onChange={(enabled) =>
            onChange({ ...hugetext, enabled: Number(enabled) })
          }
        />
        <NumberField
          path={`${path}.pad_threshold`}
          label="pad a tail above, bytes"
          name="Bytes of a tail above which it is padded"
          help={`The tail beyond the last whole ${huge} gets a page of ${huge} too, padded with nothing, if it has more bytes than this. 0: never.`}
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
              ? "In all processes; the cap that adapts is never above it."
              : "In each process; those with the most fetches in the trace get them. A cap keeps code from pushing itself out of a small iTLB."
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
          label="The cap adapts: it climbs to where translation takes the fewest cycles"
          help="Code begins in small pages. After each window the cap moves on if the window took no more cycles than the one before, else back by half as much; the code fetched most in the window gets the huge pages."
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
            name="Huge pages by which the cap moves at first"
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

/** Transparent huge pages: who gets them, at a fault or later, and how often memory is too fragmented. */
import { THP_ENABLED } from "../../engine/generated/words";
import type { KhugepagedConfig } from "../../engine/generated/KhugepagedConfig";
import type { ThpConfig } from "../../engine/generated/ThpConfig";
import type { ThpEnabled } from "../../engine/generated/ThpEnabled";
import { CheckField } from "./CheckField";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { without } from "./without";

export interface ThpSectionProps {
  /** Path of the settings: `os.thp`. */
  readonly path: string;
  readonly thp: ThpConfig;
  /** The huge page size: `2M`. */
  readonly huge: string;
  readonly onChange: (thp: ThpConfig) => void;
}

const ENABLED = THP_ENABLED.map((value) => ({ value, word: value }));

/** The settings that the checkbox turns on. */
const NEW_DAEMON: KhugepagedConfig = { every: 10_000 };

export function ThpSection({ path, thp, huge, onChange }: ThpSectionProps) {
  const { khugepaged } = thp;
  const setDaemon = (daemon: KhugepagedConfig) =>
    onChange({ ...thp, khugepaged: daemon });
  return (
    <section className="config-section" data-testid={path}>
      <div className="config-head">
        <h3>Transparent huge pages</h3>
        <span className="t3 small">for regions with the policy THP</span>
      </div>
      <div className="config-fields config-os">
        <ChoiceField<ThpEnabled>
          path={`${path}.enabled`}
          label="enabled"
          name="Regions that get transparent huge pages"
          help="always: all anonymous memory except regions advised against. madvise: only regions with the advice “huge pages”. never: no region."
          choices={ENABLED}
          value={thp.enabled}
          onChange={(enabled) => onChange({ ...thp, enabled })}
        />
        <NumberField
          path={`${path}.fragmentation`}
          label="fragmentation, %"
          name="Fragmentation of memory in per cent"
          help={`Percentage of ${huge} allocations that fail because free memory is fragmented; small pages are used instead.`}
          value={thp.fragmentation}
          onChange={(fragmentation) =>
            onChange({ ...thp, fragmentation: fragmentation ?? 0 })
          }
        />
        {thp.fragmentation > 0 ? (
          <NumberField
            path={`${path}.seed`}
            label="seed"
            name="Seed of fragmentation"
            help="Another seed makes other allocations fail. The same seed gives the same run."
            value={thp.seed}
            onChange={(seed) => onChange({ ...thp, seed: seed ?? 1 })}
          />
        ) : null}
      </div>
      <CheckField
        path={`${path}.at_fault`}
        label={`A fault maps a whole page of ${huge} at once if it fits the region`}
        help="Otherwise only khugepaged makes huge pages."
        value={thp.at_fault}
        onChange={(at_fault) => onChange({ ...thp, at_fault })}
      />
      <CheckField
        path={`${path}.khugepaged`}
        label="khugepaged promotes small pages later, most walked first"
        help="Each promotion shoots down the small pages that it replaces, on every core."
        value={khugepaged !== undefined}
        onChange={(isOn) =>
          onChange(
            isOn
              ? { ...thp, khugepaged: NEW_DAEMON }
              : without(thp, "khugepaged"),
          )
        }
      />
      {khugepaged ? (
        <div className="config-fields config-os config-inset">
          <NumberField
            path={`${path}.khugepaged.every`}
            label="wakes every … accesses"
            name="Accesses between two rounds of khugepaged"
            value={khugepaged.every}
            onChange={(every) =>
              setDaemon({ ...khugepaged, every: every ?? 0 })
            }
          />
          <NumberField
            path={`${path}.khugepaged.pages`}
            label="promotions per round"
            name="Huge pages that khugepaged tries each round"
            empty="1"
            value={khugepaged.pages}
            onChange={(pages) =>
              setDaemon({
                ...without(khugepaged, "pages"),
                ...(pages !== undefined && { pages }),
              })
            }
          />
          <NumberField
            path={`${path}.khugepaged.max_ptes_none`}
            label="unmapped pages, at most"
            name="Unmapped small pages allowed in a block"
            help="max_ptes_none: khugepaged skips a block with more unmapped small pages."
            empty="all but 1"
            value={khugepaged.max_ptes_none}
            onChange={(most) =>
              setDaemon({
                ...without(khugepaged, "max_ptes_none"),
                ...(most !== undefined && { max_ptes_none: most }),
              })
            }
          />
        </div>
      ) : null}
      <RowProblems path={path} />
    </section>
  );
}

/** Translations in the second memory cache (Victima), as a row of the form. */
import { DEFAULT_VICTIMA } from "../../engine/generated/researchDefaults";
import type { BlockFills } from "../../engine/generated/BlockFills";
import type { BlockReplacement } from "../../engine/generated/BlockReplacement";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { VictimaConfig } from "../../engine/generated/VictimaConfig";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { without } from "./without";

const CHOICES = [
  { value: "none", word: "none" },
  { value: "victima", word: "in a memory cache" },
] as const;
const FILLS: readonly { value: BlockFills; word: string }[] = [
  { value: "both", word: "both" },
  { value: "walks", word: "walks" },
  { value: "evictions", word: "evictions" },
];
const REPLACEMENTS: readonly { value: BlockReplacement; word: string }[] = [
  { value: "lru", word: "LRU" },
  { value: "tlb-aware", word: "TLB-aware" },
];

export interface VictimaRowProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  readonly onChange: (machine: MachineConfig) => void;
}

export function VictimaRow({ machine, model, onChange }: VictimaRowProps) {
  const { victima } = machine;
  return (
    <li className="config-row" data-testid="victima">
      <div className="config-fields config-latency">
        <ChoiceField
          path="victima"
          modelPath={model && "victima"}
          label="TLB blocks"
          name="TLB blocks"
          help="Victima: lines of the second memory cache hold the translations of eight pages each. Let data accesses go through the caches too: otherwise only page tables compete with the blocks."
          choices={CHOICES}
          value={victima ? "victima" : "none"}
          modelValue={model && (model.victima ? "victima" : "none")}
          onChange={(value) =>
            onChange(
              value === "victima"
                ? { ...machine, victima: DEFAULT_VICTIMA }
                : without(machine, "victima"),
            )
          }
        />
        {victima === undefined ? null : (
          <VictimaFields
            victima={{ ...DEFAULT_VICTIMA, ...victima }}
            onChange={(next) => onChange({ ...machine, victima: next })}
          />
        )}
      </div>
      <RowProblems path="victima" />
    </li>
  );
}

interface VictimaFieldsProps {
  readonly victima: VictimaConfig;
  readonly onChange: (victima: VictimaConfig) => void;
}

function VictimaFields({ victima, onChange }: VictimaFieldsProps) {
  const number = (
    field: "min_walks" | "min_dram_reads",
    n: number | undefined,
  ) => onChange({ ...victima, [field]: n ?? DEFAULT_VICTIMA[field] });
  return (
    <>
      <NumberField
        path="victima.min_walks"
        label="costly from walks"
        name="Walks from which on a page is costly"
        help="Only costly pages get a block: those with as many walks, and with as many reads from DRAM."
        value={victima.min_walks}
        onChange={(n) => number("min_walks", n)}
      />
      <NumberField
        path="victima.min_dram_reads"
        label="and DRAM reads"
        name="Reads from DRAM from which on a page is costly"
        value={victima.min_dram_reads}
        onChange={(n) => number("min_dram_reads", n)}
      />
      <ChoiceField
        path="victima.fills"
        label="written by"
        name="Events that write a block"
        help="The end of a walk, an eviction from level 2, or both."
        choices={FILLS}
        value={victima.fills}
        onChange={(fills) => onChange({ ...victima, fills })}
      />
      <ChoiceField
        path="victima.replacement"
        label="replacement"
        name="Replacement of the cache with TLB blocks"
        help="TLB-aware: SRRIP that prefers blocks to lines."
        choices={REPLACEMENTS}
        value={victima.replacement}
        onChange={(replacement) => onChange({ ...victima, replacement })}
      />
    </>
  );
}

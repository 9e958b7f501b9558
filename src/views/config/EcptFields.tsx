/** The fields of hashed page tables. */
import { DEFAULT_ECPT } from "../../engine/generated/researchDefaults";
import type { EcptConfig } from "../../engine/generated/EcptConfig";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";

const ENDS = [
  { value: "all", word: "all reads" },
  { value: "page", word: "its page" },
] as const;
const ECPT_FIELDS: readonly {
  readonly field: Exclude<keyof EcptConfig, "early">;
  readonly label: string;
  readonly name: string;
}[] = [
  { field: "ways", label: "ways", name: "Ways of a hashed table" },
  { field: "entries", label: "lines a way", name: "Lines of a way" },
  { field: "load", label: "resize above %", name: "Load of a resize" },
  { field: "growth", label: "factor", name: "Factor of a resize" },
  {
    field: "pmd_cwc",
    label: "PMD cache",
    name: "Entries of the PMD walk cache",
  },
  {
    field: "pud_cwc",
    label: "PUD cache",
    name: "Entries of the PUD walk cache",
  },
  {
    field: "cycles",
    label: "cycles",
    name: "Cycles before the reads of a walk",
  },
];

export interface EcptFieldsProps {
  readonly ecpt: EcptConfig;
  readonly onChange: (ecpt: EcptConfig) => void;
}

export function EcptFields({ ecpt, onChange }: EcptFieldsProps) {
  return (
    <>
      {ECPT_FIELDS.map(({ field, label, name }) => (
        <NumberField
          key={field}
          path={`ecpt.${field}`}
          label={label}
          name={name}
          value={ecpt[field]}
          onChange={(n) =>
            onChange({ ...ecpt, [field]: n ?? DEFAULT_ECPT[field] })
          }
        />
      ))}
      <ChoiceField
        path="ecpt.early"
        label="ends with"
        name="End of a walk"
        help="The reads of a walk are made at the same time. It ends when the line of the page has come, or when all lines have come."
        choices={ENDS}
        value={ecpt.early ? "page" : "all"}
        onChange={(end) => onChange({ ...ecpt, early: end === "page" })}
      />
    </>
  );
}

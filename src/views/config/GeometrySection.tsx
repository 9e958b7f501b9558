/** The page table: its levels or a custom geometry, and page sizes that share a TLB entry. */
import { useState } from "react";
import type { Addresses } from "../../engine/generated/Addresses";
import type { AddressTags } from "../../engine/generated/AddressTags";
import type { EntryFormat } from "../../engine/generated/EntryFormat";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { Paging } from "../../engine/generated/Paging";
import { Icon } from "../shared/Icon";
import { ChoiceField } from "./ChoiceField";
import {
  readBySize,
  readNames,
  readNumbers,
  writeBySize,
  writeNames,
  writeNumbers,
} from "./lists";
import { NumberField } from "./NumberField";
import { ParsedField } from "./ParsedField";
import { RowProblems } from "./RowProblems";
import { without } from "./without";

export interface GeometrySectionProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  readonly onChange: (machine: MachineConfig) => void;
}

type Shape = "4" | "5" | "own";

const SHAPES: readonly { readonly value: Shape; readonly word: string }[] = [
  { value: "4", word: "4 levels (x86)" },
  { value: "5", word: "5 levels (x86)" },
  { value: "own", word: "custom" },
];

/** The start value of a custom geometry: the same as 4 levels. */
const FOUR_LEVELS: Paging = {
  offset_bits: 12,
  index_bits: [9, 9, 9, 9],
  leaf_levels: [1, 2, 3],
};

/** The rules for addresses; without one, the geometry decides. */
const ADDRESSES: readonly {
  readonly value: Addresses | "usual";
  readonly word: string;
}[] = [
  { value: "usual", word: "by geometry" },
  { value: "canonical", word: "canonical (x86)" },
  { value: "sign-extended", word: "sign-extended (RISC-V)" },
  { value: "two-halves", word: "two halves (Arm)" },
  { value: "zero-extended", word: "zero-extended" },
];

/** The bits of an address that the machine ignores. */
const TAGS: readonly {
  readonly value: AddressTags | "none";
  readonly word: string;
}[] = [
  { value: "none", word: "none" },
  { value: "lam48", word: "bits 62 to 48 (x86 LAM48)" },
  { value: "lam57", word: "bits 62 to 57 (x86 LAM57)" },
  { value: "tbi", word: "bits 63 to 56 (Arm TBI)" },
];

const ENTRY_BYTES = ["1", "2", "4", "8"].map((value) => ({
  value,
  word: value,
}));

/** The formats of entries; without one, the geometry decides. */
const FORMATS: readonly {
  readonly value: EntryFormat | "usual";
  readonly word: string;
}[] = [
  { value: "usual", word: "by geometry" },
  { value: "valid-bit", word: "valid bit and frame" },
  { value: "simple", word: "frame, D A U W V" },
  { value: "x86-32", word: "x86, 32 bits" },
  { value: "risc-v", word: "RISC-V" },
];

const NONE = {};
const NO_NAMES: readonly string[] = [];
const NO_LEVELS: number[] = [];

export function GeometrySection(props: GeometrySectionProps) {
  const { machine, model, onChange } = props;
  const { paging, coalescing } = machine;
  const [isOpen, setIsOpen] = useState(paging !== undefined);
  return (
    <section className="config-section" data-testid="geometry">
      <div className="config-head">
        <h3>Page table</h3>
        <button
          type="button"
          className="btn quiet"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? "chevron-up" : "chevron"} size={14} /> Geometry
        </button>
      </div>
      <div className="config-fields config-os">
        <ChoiceField<Shape>
          path="levels"
          modelPath={model && "levels"}
          label="page table"
          name="Geometry of the page table"
          choices={SHAPES}
          value={shapeOf(machine)}
          modelValue={model && shapeOf(model)}
          onChange={(shape) => {
            onChange(withShape(machine, shape));
            if (shape === "own") setIsOpen(true);
          }}
        />
        <ParsedField
          path="coalescing"
          modelPath={model && "coalescing"}
          label="pages that share an entry"
          name="Pages of a size that share a TLB entry"
          help="4K: 4 = an aligned group of four 4K pages with consecutive frames shares one TLB entry, as on AMD Zen. Arrays list the group’s size, here 16K, among their page sizes."
          empty="none"
          value={coalescing ?? NONE}
          modelValue={model && (model.coalescing ?? NONE)}
          write={writeBySize}
          read={readBySize}
          onChange={(next) =>
            onChange({
              ...without(machine, "coalescing"),
              ...(Object.keys(next).length > 0 && { coalescing: { ...next } }),
            })
          }
        />
      </div>
      {isOpen ? (
        paging ? (
          <PagingFields
            paging={paging}
            model={model?.paging}
            hasModel={model !== undefined}
            onChange={(next) => onChange({ ...machine, paging: next })}
          />
        ) : (
          <p className="config-note">
            {machine.levels === 5 ? "9 9 9 9 9" : "9 9 9 9"} index bits and 12
            offset bits: choose “custom” to change them.
          </p>
        )
      ) : null}
      <RowProblems path="levels" />
      <RowProblems path="coalescing" />
      <RowProblems path="paging" />
    </section>
  );
}

interface PagingFieldsProps {
  readonly paging: Paging;
  readonly model: Paging | undefined;
  readonly hasModel: boolean;
  readonly onChange: (paging: Paging) => void;
}

function PagingFields(props: PagingFieldsProps) {
  const { paging, model, hasModel, onChange } = props;
  const at = (field: string) => ({
    path: `paging.${field}`,
    modelPath: hasModel ? `paging.${field}` : undefined,
  });
  return (
    <div className="config-fields config-os config-inset">
      <ParsedField
        {...at("index_bits")}
        label="index bits, root first"
        name="Index bits of each level, the root first"
        help="How many address bits select the entry of each table: 9 9 9 9 is four tables of 512 entries. 1 to 5 levels of 1 to 16 bits."
        value={paging.index_bits}
        modelValue={model?.index_bits}
        write={writeNumbers}
        read={readNumbers}
        onChange={(index_bits) => onChange({ ...paging, index_bits })}
      />
      <NumberField
        {...at("offset_bits")}
        label="offset bits"
        name="Bits of the offset in the smallest page"
        help="The smallest page has 2 to this power bytes: 12 is 4K, 14 is 16K, 16 is 64K."
        value={paging.offset_bits}
        modelValue={model?.offset_bits}
        onChange={(bits) =>
          onChange({ ...paging, offset_bits: bits ?? paging.offset_bits })
        }
      />
      <ParsedField
        {...at("leaf_levels")}
        label="levels that map pages"
        name="Levels whose entries may map a page"
        help="Level 1, the lowest table, always maps pages. With 4K pages and 9 bits per level, 1 2 3 is 4K, 2M and 1G."
        empty="1 2 3"
        value={paging.leaf_levels ?? NO_LEVELS}
        modelValue={model && (model.leaf_levels ?? NO_LEVELS)}
        write={writeNumbers}
        read={readNumbers}
        onChange={(leaf_levels) =>
          onChange({
            ...without(paging, "leaf_levels"),
            ...(leaf_levels.length > 0 && { leaf_levels }),
          })
        }
      />
      <ChoiceField<Addresses | "usual">
        {...at("addresses")}
        label="addresses"
        name="The addresses that the machine translates"
        choices={ADDRESSES}
        value={paging.addresses ?? "usual"}
        modelValue={model && (model.addresses ?? "usual")}
        onChange={(addresses) =>
          onChange({
            ...without(paging, "addresses"),
            ...(addresses !== "usual" && { addresses }),
          })
        }
      />
      <ChoiceField<AddressTags | "none">
        {...at("tags")}
        label="ignored tags"
        name="The address bits that the machine ignores"
        choices={TAGS}
        value={paging.tags ?? "none"}
        modelValue={model && (model.tags ?? "none")}
        onChange={(tags) =>
          onChange({
            ...without(paging, "tags"),
            ...(tags !== "none" && { tags }),
          })
        }
      />
      <ChoiceField<string>
        {...at("entry_bytes")}
        label="bytes of an entry"
        name="Bytes of an entry"
        choices={ENTRY_BYTES}
        value={String(paging.entry_bytes ?? 8)}
        modelValue={model && String(model.entry_bytes ?? 8)}
        onChange={(bytes) =>
          onChange({
            ...without(paging, "entry_bytes"),
            ...(bytes !== "8" && { entry_bytes: Number(bytes) }),
          })
        }
      />
      <ChoiceField<EntryFormat | "usual">
        {...at("format")}
        label="entry format"
        name="Format of an entry"
        help="By geometry: that of x86-64 or Arm, and a simple one for a machine with entries or a memory of its own."
        choices={FORMATS}
        value={paging.format ?? "usual"}
        modelValue={model && (model.format ?? "usual")}
        onChange={(format) =>
          onChange({
            ...without(paging, "format"),
            ...(format !== "usual" && { format }),
          })
        }
      />
      <ParsedField
        {...at("physical_bits")}
        label="physical bits"
        name="Bits of a physical address"
        help="With it, page tables and pages share one memory of that size. Each takes the lowest free frames."
        empty="52"
        value={
          paging.physical_bits === undefined
            ? NO_LEVELS
            : [paging.physical_bits]
        }
        modelValue={
          model &&
          (model.physical_bits === undefined
            ? NO_LEVELS
            : [model.physical_bits])
        }
        write={writeNumbers}
        read={readNumbers}
        onChange={([bits]) =>
          onChange({
            ...without(paging, "physical_bits"),
            ...(bits !== undefined && { physical_bits: bits }),
          })
        }
      />
      <ParsedField
        {...at("tables")}
        label="names of the tables"
        name="Names of the tables, the root first"
        help="One name for each level from the root down, with commas."
        empty="by geometry"
        value={paging.tables ?? NO_NAMES}
        modelValue={model && (model.tables ?? NO_NAMES)}
        write={writeNames}
        read={readNames}
        onChange={(tables) =>
          onChange({
            ...without(paging, "tables"),
            ...(tables.length > 0 && { tables: [...tables] }),
          })
        }
      />
      <ParsedField
        {...at("contiguous")}
        label="contiguous pages"
        name="Neighbouring entries that may map one page"
        help="4K: 16 = sixteen neighbouring entries may map one 64K page with one TLB entry: Arm’s contiguous bit."
        empty="none"
        value={paging.contiguous ?? NONE}
        modelValue={model && (model.contiguous ?? NONE)}
        write={writeBySize}
        read={readBySize}
        onChange={(next) =>
          onChange({
            ...without(paging, "contiguous"),
            ...(Object.keys(next).length > 0 && { contiguous: { ...next } }),
          })
        }
      />
    </div>
  );
}

function shapeOf({ paging, levels }: MachineConfig): Shape {
  if (paging) return "own";
  return levels === 5 ? "5" : "4";
}

function withShape(machine: MachineConfig, shape: Shape): MachineConfig {
  const rest = without(without(machine, "levels"), "paging");
  if (shape !== "own") return { ...rest, levels: Number(shape) };
  const { index_bits } = FOUR_LEVELS;
  const five = { ...FOUR_LEVELS, index_bits: [9, ...index_bits] };
  return { ...rest, paging: machine.levels === 5 ? five : FOUR_LEVELS };
}

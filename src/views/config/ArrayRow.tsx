/** One TLB array of a level as a row of fields. */
import { indexChoices, indexValue, masksOf } from "../../model/config/choices";
import { SERVED_KINDS } from "../../engine/generated/words";
import { useState } from "react";
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import type { Kind } from "../../engine/generated/Kind";
import type { PageSize } from "../../engine/generated/PageSize";
import { counted } from "../../model/shared/format";
import { Icon } from "../shared/Icon";
import { ArrayMore } from "./ArrayMore";
import { ChoiceField } from "./ChoiceField";
import { readWords, writeBySize, writeWords } from "./lists";
import { NumberField } from "./NumberField";
import { ParsedField } from "./ParsedField";
import { RowProblems } from "./RowProblems";
import { POLICY_CHOICES, nextEntries, nextWays } from "./shapes";
import { TextField } from "./TextField";
import { Toggles } from "./Toggles";
import { without } from "./without";

export interface ArrayRowProps {
  /** Path of the array in the machine: `l1[0]`. */
  readonly path: string;
  readonly array: ArrayConfig;
  /** The array with the same name in the CPU model, with its path there. */
  readonly original:
    { readonly path: string; readonly array: ArrayConfig } | undefined;
  /** The machine's page sizes. */
  readonly sizes: readonly PageSize[];
  readonly onChange: (array: ArrayConfig) => void;
  readonly onRemove: () => void;
}

const KINDS: readonly { readonly value: Kind; readonly word: string }[] =
  SERVED_KINDS.map((value) => ({
    value,
    word: value.slice(0, 1).toUpperCase(),
  }));

export function ArrayRow(props: ArrayRowProps) {
  const { path, array, original, sizes, onChange, onRemove } = props;
  const [isOpen, setIsOpen] = useState(false);
  const indexes = indexChoices(masksOf(array));
  const name = array.name ?? "the array";
  const model = original?.array;
  const at = (field: string) => ({
    path: `${path}.${field}`,
    modelPath: original && `${original.path}.${field}`,
  });
  return (
    <li className="config-row" data-testid={path}>
      <div className="config-fields config-array">
        <TextField
          {...at("name")}
          label="name"
          name={`Name of ${name}`}
          value={array.name ?? ""}
          onChange={(name) => onChange({ ...array, name })}
        />
        <Toggles
          {...at("serves")}
          label="serves"
          name={`What ${name} serves`}
          choices={KINDS}
          value={array.serves ?? SERVED_KINDS}
          modelValue={model && (model.serves ?? SERVED_KINDS)}
          onChange={(serves) => onChange(withServes(array, serves, model))}
        />
        <Toggles
          {...at("pages")}
          label="pages"
          name={`Page sizes of ${name}`}
          choices={sizes.map((size) => ({ value: size, word: size }))}
          value={array.pages ?? sizes}
          modelValue={model && (model.pages ?? sizes)}
          onChange={(pages) => onChange(withPages(array, pages, sizes, model))}
        />
        <NumberField
          {...at("entries")}
          label="entries"
          name={`Entries of ${name}`}
          value={array.entries}
          modelValue={model?.entries}
          stepped={nextEntries}
          onChange={(entries) =>
            onChange({ ...array, entries: entries ?? array.entries })
          }
        />
        <NumberField
          {...at("ways")}
          label="ways"
          name={`Ways of ${name}`}
          empty="all"
          value={array.ways}
          modelValue={model?.ways}
          stepped={(ways, direction) =>
            nextWays(array.entries, ways, direction)
          }
          onChange={(ways) => onChange(withWays(array, ways))}
        />
        <ChoiceField
          {...at("index")}
          label="index"
          name={`Index of ${name}`}
          choices={indexes}
          value={indexValue(array.index)}
          modelValue={model && indexValue(model.index)}
          onChange={(value) => {
            const chosen = indexes.find((each) => each.value === value);
            if (chosen) onChange({ ...array, index: chosen.index });
          }}
        />
        <ChoiceField
          {...at("replacement")}
          label="replacement"
          name={`Replacement in ${name}`}
          choices={POLICY_CHOICES}
          value={array.replacement ?? "lru"}
          modelValue={model && (model.replacement ?? "lru")}
          onChange={(replacement) => onChange({ ...array, replacement })}
        />
        <button
          type="button"
          className="btn quiet icon"
          aria-label={`More of ${name}`}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? "chevron-up" : "chevron"} />
        </button>
        <button
          type="button"
          className="btn quiet icon"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </div>
      {typeof array.index === "object" ? (
        <div className="config-fields config-os config-inset">
          <ParsedField
            path={`${path}.index.xor-masks`}
            label="masks"
            name={`Masks of ${name}`}
            help="One mask of page-number bits for each bit of the set, the lowest bit first. The bit is 1 if an odd number of these bits are 1."
            empty="none: one set"
            value={array.index["xor-masks"]}
            write={writeWords}
            read={readWords}
            onChange={(masks) =>
              onChange({ ...array, index: { "xor-masks": [...masks] } })
            }
          />
        </div>
      ) : null}
      {isOpen ? (
        <ArrayMore {...{ name, array, model, sizes, onChange, at }} />
      ) : null}
      <p className="config-note">
        {shapeText(array)}
        {array.fragments && array.fragments.length > 0
          ? `; splits ${array.fragments.join(", ")}`
          : ""}
        {array.ways_of ? `; ways by size: ${writeBySize(array.ways_of)}` : ""}
      </p>
      <RowProblems path={path} />
    </li>
  );
}

function shapeText({ entries, ways = entries }: ArrayConfig): string {
  const sets = entries / ways;
  if (sets === 1)
    return `fully associative, ${counted(entries, "entry", "entries")}`;
  return Number.isInteger(sets)
    ? `${counted(sets, "set")} × ${counted(ways, "way")}`
    : "";
}

function withWays(array: ArrayConfig, ways: number | undefined): ArrayConfig {
  const rest = without(array, "ways");
  return ways === undefined ? rest : { ...rest, ways };
}

function withServes(
  array: ArrayConfig,
  serves: readonly Kind[],
  model: ArrayConfig | undefined,
): ArrayConfig {
  const rest = without(array, "serves");
  const isAll = serves.length === SERVED_KINDS.length;
  return isAll && saysNothing(model?.serves, model)
    ? rest
    : { ...rest, serves: [...serves] };
}

function withPages(
  array: ArrayConfig,
  pages: readonly PageSize[],
  all: readonly PageSize[],
  model: ArrayConfig | undefined,
): ArrayConfig {
  const rest = without(array, "pages");
  const isAll = pages.length === all.length;
  return isAll && saysNothing(model?.pages, model)
    ? rest
    : { ...rest, pages: [...pages] };
}

/** A list of all kinds or sizes means the same as no list, so it is left out if the model leaves it out. */
function saysNothing(
  list: readonly string[] | undefined,
  model: ArrayConfig | undefined,
): boolean {
  return model !== undefined && list === undefined;
}

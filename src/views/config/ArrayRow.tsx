/** One TLB array of a level as a row of fields. */
import { INDEX_CHOICES } from "../../model/config/choices";
import { SERVED_KINDS } from "../../engine/generated/words";
import { useState } from "react";
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import type { Kind } from "../../engine/generated/Kind";
import type { PageSize } from "../../engine/generated/PageSize";
import { counted } from "../../model/shared/format";
import { Icon } from "../shared/Icon";
import { ChoiceField } from "./ChoiceField";
import { readBySize, writeBySize } from "./lists";
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
const NO_SIZES: readonly PageSize[] = [];
const NO_WAYS = {};

export function ArrayRow(props: ArrayRowProps) {
  const { path, array, original, sizes, onChange, onRemove } = props;
  const [isOpen, setIsOpen] = useState(false);
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
          choices={INDEX_CHOICES}
          value={array.index ?? "low-bits"}
          modelValue={model && (model.index ?? "low-bits")}
          onChange={(index) => onChange({ ...array, index })}
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
      {isOpen ? (
        <div className="config-fields config-os config-inset">
          <Toggles
            {...at("fragments")}
            label="kept as smaller pages"
            name={`Sizes that ${name} splits into smaller pages`}
            help="The array stores a 1G page as several 2M entries."
            choices={sizes.map((size) => ({ value: size, word: size }))}
            value={array.fragments ?? NO_SIZES}
            modelValue={model && (model.fragments ?? NO_SIZES)}
            onChange={(fragments) =>
              onChange({
                ...without(array, "fragments"),
                ...(fragments.length > 0 && { fragments: [...fragments] }),
              })
            }
          />
          <ParsedField
            {...at("ways_of")}
            label="ways by page size"
            name={`Ways of a page size in ${name}`}
            help="4K: 8 = 4K pages may use 8 of the ways. They see an array with more sets and fewer ways, and share it with the other sizes."
            empty="all ways"
            value={array.ways_of ?? NO_WAYS}
            modelValue={model && (model.ways_of ?? NO_WAYS)}
            write={writeBySize}
            read={readBySize}
            onChange={(ways_of) =>
              onChange({
                ...without(array, "ways_of"),
                ...(Object.keys(ways_of).length > 0 && {
                  ways_of: { ...ways_of },
                }),
              })
            }
          />
        </div>
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

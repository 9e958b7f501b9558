/** The fields of a TLB array that most arrays leave out. */
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import type { Caps } from "../../engine/generated/Caps";
import type { PageSize } from "../../engine/generated/PageSize";
import { readBySize, writeBySize } from "./lists";
import { NumberField } from "./NumberField";
import { ParsedField } from "./ParsedField";
import { Toggles } from "./Toggles";
import { without } from "./without";

export interface ArrayMoreProps {
  readonly name: string;
  readonly array: ArrayConfig;
  /** The array with the same name in the CPU model. */
  readonly model: ArrayConfig | undefined;
  /** The machine's page sizes. */
  readonly sizes: readonly PageSize[];
  readonly onChange: (array: ArrayConfig) => void;
  /** The paths of a field, in the machine and in the model. */
  readonly at: (field: string) => {
    path: string;
    modelPath: string | undefined;
  };
}

const NO_SIZES: readonly PageSize[] = [];
const NO_WAYS = {};
const CAPPED: readonly (readonly [keyof Caps, string])[] = [
  ["instructions", "instructions"],
  ["data", "data"],
];

export function ArrayMore(props: ArrayMoreProps) {
  const { name, at, array, model, sizes, onChange } = props;
  return (
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
      {isShared(array) || array.caps !== undefined
        ? CAPPED.map(([field, word]) => (
            <NumberField
              key={field}
              {...at(`caps.${field}`)}
              label={`ways for ${word}`}
              name={`Ways for ${word} in ${name}`}
              help={`The most ways of a set that translations of ${word} may be in.`}
              empty="all"
              value={array.caps?.[field]}
              modelValue={model?.caps?.[field]}
              onChange={(ways) => onChange(withCap(array, field, ways))}
            />
          ))
        : null}
    </div>
  );
}

/** Whether fetches and loads are in one array, so that each may have a limit. */
function isShared({ serves }: ArrayConfig): boolean {
  return !serves || (serves.includes("fetch") && serves.includes("load"));
}

function withCap(
  array: ArrayConfig,
  field: keyof Caps,
  ways: number | undefined,
): ArrayConfig {
  const others = without(array.caps ?? {}, field);
  const caps: Caps = ways === undefined ? others : { ...others, [field]: ways };
  const rest = without(array, "caps");
  return Object.keys(caps).length > 0 ? { ...rest, caps } : rest;
}

/** Entries, ways and replacement policy of a small cache: three cells of its row. */
import type { CacheShape } from "../../engine/generated/CacheShape";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";
import { POLICY_CHOICES, nextEntries, nextWays } from "./shapes";
import { without } from "./without";

export interface ShapeFieldsProps<T extends CacheShape> {
  /** Path of the cache: `psc.pde`. */
  readonly path: string;
  /** The label for screen readers: "entries of pde". */
  readonly name: string;
  readonly shape: T;
  /** The shape of this cache in the CPU model. */
  readonly model: T | undefined;
  readonly onChange: (shape: T) => void;
}

export function ShapeFields<T extends CacheShape>(props: ShapeFieldsProps<T>) {
  const { path, name, shape, model, onChange } = props;
  const modelPath = model && path;
  return (
    <>
      <NumberField
        path={`${path}.entries`}
        modelPath={modelPath}
        label="entries"
        name={`Entries of ${name}`}
        value={shape.entries}
        modelValue={model?.entries}
        stepped={nextEntries}
        onChange={(entries) =>
          onChange({ ...shape, entries: entries ?? shape.entries })
        }
      />
      <NumberField
        path={`${path}.ways`}
        modelPath={modelPath}
        label="ways"
        name={`Ways of ${name}`}
        empty="all"
        value={shape.ways}
        modelValue={model?.ways}
        stepped={(ways, direction) => nextWays(shape.entries, ways, direction)}
        onChange={(ways) => onChange(withWays(shape, ways))}
      />
      <ChoiceField
        path={`${path}.replacement`}
        modelPath={modelPath}
        label="replacement"
        name={`Replacement in ${name}`}
        choices={POLICY_CHOICES}
        value={shape.replacement ?? "lru"}
        modelValue={model && (model.replacement ?? "lru")}
        onChange={(replacement) => onChange({ ...shape, replacement })}
      />
    </>
  );
}

function withWays<T extends CacheShape>(shape: T, ways: number | undefined): T {
  // A shape without `ways` is still valid, since `ways` is optional.
  const rest = without(shape, "ways") as T;
  return ways === undefined ? rest : { ...rest, ways };
}

/** All arrays of one level. */
import type { CSSProperties } from "react";
import type { ArrayConfig } from "../../engine/generated/ArrayConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import { Icon } from "../shared/Icon";
import { ArrayRow } from "./ArrayRow";
import { useProblem } from "./fields";

export interface ArraySectionProps {
  readonly level: "l1" | "l2";
  readonly arrays: readonly ArrayConfig[];
  /** The arrays of the same level in the CPU model. */
  readonly originals: readonly ArrayConfig[];
  readonly sizes: readonly PageSize[];
  readonly onChange: (arrays: ArrayConfig[]) => void;
}

const TITLES = {
  l1: "First level",
  l2: "Second level",
} as const;

const COLUMNS = [
  "name",
  "serves",
  "pages",
  "entries",
  "ways",
  "index",
  "replacement",
] as const;

export function ArraySection(props: ArraySectionProps) {
  const { level, arrays, originals, sizes, onChange } = props;
  const problem = useProblem(level);
  // A CSS custom property, which React's types do not know.
  const columns = { "--n-sizes": sizes.length } as CSSProperties;
  return (
    <section className="config-section" style={columns}>
      <div className="config-head">
        <h3>{TITLES[level]}</h3>
        <span className="t3 small">serves F fetches, L loads, S stores</span>
        <button
          type="button"
          className="btn"
          onClick={() => onChange([...arrays, newArray(level, arrays)])}
        >
          <Icon name="plus" /> Add an array
        </button>
      </div>
      {arrays.length === 0 ? null : (
        <div className="config-columns config-array" aria-hidden="true">
          {COLUMNS.map((column) => (
            <span key={column}>{column}</span>
          ))}
        </div>
      )}
      <ul className="config-rows">
        {arrays.map((array, i) => (
          <ArrayRow
            key={i}
            path={`${level}[${i}]`}
            array={array}
            original={originalOf(level, originals, array)}
            sizes={sizes}
            onChange={(next) => onChange(arrays.with(i, next))}
            onRemove={() => onChange(arrays.filter((_, at) => at !== i))}
          />
        ))}
      </ul>
      {problem ? (
        <p className="problem" role="alert">
          {problem.message}
        </p>
      ) : null}
    </section>
  );
}

/** Finds the model's array by name, since rows above it may have been added or removed. */
function originalOf(
  level: string,
  originals: readonly ArrayConfig[],
  { name }: ArrayConfig,
) {
  const at = originals.findIndex((original) => original.name === name);
  const array = originals[at];
  return array && { path: `${level}[${at}]`, array };
}

function newArray(
  level: "l1" | "l2",
  arrays: readonly ArrayConfig[],
): ArrayConfig {
  const base = level === "l1" ? "L1 array" : "L2 array";
  const taken = new Set(arrays.map(({ name }) => name));
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base} ${n}`;
  return { name, entries: level === "l1" ? 64 : 1024, ways: 4 };
}

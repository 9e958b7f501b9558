/** The hugetlbfs pools: how many huge pages of each size are reserved before the run. */
import type { PageSize } from "../../engine/generated/PageSize";
import type { PoolConfig } from "../../engine/generated/PoolConfig";
import { Icon } from "../shared/Icon";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";

export interface PoolSectionProps {
  /** Path of the pools: `os.hugetlb`. */
  readonly path: string;
  readonly pools: readonly PoolConfig[];
  /** Page sizes that a pool can have. */
  readonly sizes: readonly PageSize[];
  readonly onChange: (pools: PoolConfig[]) => void;
}

type When = "mapped" | "touched";
const WHEN: readonly { readonly value: When; readonly word: string }[] = [
  { value: "mapped", word: "when a region is mapped" },
  { value: "touched", word: "when a page is touched" },
];

export function PoolSection(props: PoolSectionProps) {
  const { path, pools, sizes, onChange } = props;
  const free = sizes.find((size) => pools.every((pool) => pool.size !== size));
  return (
    <section className="config-section" data-testid={path}>
      <div className="config-head">
        <h3>hugetlbfs pools</h3>
        <button
          type="button"
          className="btn"
          disabled={free === undefined}
          onClick={() =>
            free !== undefined &&
            onChange([...pools, { size: free, pages: 64 }])
          }
        >
          <Icon name="plus" /> Add a pool
        </button>
      </div>
      {pools.length === 0 ? (
        <p className="t2 small">A size without a pool has unlimited pages.</p>
      ) : null}
      <ul className="config-rows">
        {pools.map((pool, at) => {
          const row = `${path}[${at}]`;
          const set = (next: PoolConfig) => onChange(pools.with(at, next));
          return (
            <li key={at} className="config-row" data-testid={row}>
              <div className="config-fields config-pool">
                <ChoiceField
                  path={`${row}.size`}
                  label="size"
                  name={`Page size of pool ${at + 1}`}
                  choices={[...new Set([...sizes, pool.size])].map((size) => ({
                    value: size,
                    word: size,
                  }))}
                  value={pool.size}
                  onChange={(size) => set({ ...pool, size })}
                />
                <NumberField
                  path={`${row}.pages`}
                  label="pages"
                  name={`Pages in the pool of ${pool.size}`}
                  value={pool.pages}
                  onChange={(pages) => set({ ...pool, pages: pages ?? 0 })}
                />
                <ChoiceField<When>
                  path={`${row}.reserve`}
                  label="reserved"
                  name={`When pages of ${pool.size} are reserved`}
                  help="When a region is mapped: all its pages are reserved, and mapping fails if the pool has too few. When a page is touched (MAP_NORESERVE): a touch that finds the pool empty is a bus error."
                  choices={WHEN}
                  value={pool.reserve === false ? "touched" : "mapped"}
                  onChange={(when) => set(taken(pool, when))}
                />
                <button
                  type="button"
                  className="btn quiet icon"
                  aria-label={`Remove the pool of ${pool.size}`}
                  onClick={() => onChange(pools.filter((_, i) => i !== at))}
                >
                  <Icon name="trash" />
                </button>
              </div>
              <RowProblems path={row} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function taken({ size, pages }: PoolConfig, when: When): PoolConfig {
  return when === "mapped" ? { size, pages } : { size, pages, reserve: false };
}

/** The paging-structure caches: each may exist or not; Zen shares one and keeps PDEs in an L2 array. */
import type { CacheShape } from "../../engine/generated/CacheShape";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PdeCache } from "../../engine/generated/PdeCache";
import type { PscConfig } from "../../engine/generated/PscConfig";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { nextEntries, nextWays } from "./shapes";
import { POLICIES } from "./words";
import { without } from "./without";

export interface PscSectionProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  readonly onChange: (psc: PscConfig) => void;
}

type Name = keyof PscConfig;

const CACHES: readonly { readonly name: Name; readonly about: string }[] = [
  { name: "pml5e", about: "PML5 entries" },
  { name: "pml4e", about: "PML4 entries" },
  { name: "pdpte", about: "PDPT entries" },
  { name: "upper", about: "PML4 and PDPT entries, shared" },
  { name: "pde", about: "PD entries" },
];

const COLUMNS = ["", "kept in", "entries", "ways", "replacement"] as const;

const NONE = "none";
const OWN = "own";

export function PscSection({ machine, model, onChange }: PscSectionProps) {
  const { psc, l2 } = machine;
  const arrays = l2.map(({ name }) => name ?? "").filter((name) => name !== "");
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>Paging-structure caches</h3>
      </div>
      <div className="config-columns config-psc" aria-hidden="true">
        {COLUMNS.map((column) => (
          <span key={column}>{column}</span>
        ))}
      </div>
      <ul className="config-rows">
        {CACHES.map(({ name, about }) => (
          <PscRow
            key={name}
            name={name}
            about={about}
            cache={psc[name]}
            model={model?.psc[name]}
            hasModel={model !== undefined}
            places={name === "pde" ? arrays : []}
            onChange={(cache) => onChange(withCache(psc, name, cache))}
          />
        ))}
      </ul>
    </section>
  );
}

interface PscRowProps {
  readonly name: Name;
  readonly about: string;
  readonly cache: PdeCache | undefined;
  readonly model: PdeCache | undefined;
  readonly hasModel: boolean;
  /** L2 arrays that could hold the entries. */
  readonly places: readonly string[];
  readonly onChange: (cache: PdeCache | undefined) => void;
}

function PscRow(props: PscRowProps) {
  const { name, about, cache, model, hasModel, places, onChange } = props;
  const path = `psc.${name}`;
  const modelPath = hasModel ? path : undefined;
  const own = isOwn(cache) ? cache : undefined;
  const ownModel = isOwn(model) ? model : undefined;
  const choose = (kind: string) => {
    if (kind === NONE) onChange(undefined);
    else if (kind === OWN) onChange(ownModel ?? { entries: 16, ways: 4 });
    else onChange({ in: kind });
  };
  return (
    <li className="config-row" data-testid={path}>
      <div className="config-fields config-psc">
        <span className="config-name">
          <span className="mono">{name}</span>{" "}
          <span className="t3 small">{about}</span>
        </span>
        <ChoiceField
          path={cache && "in" in cache ? `${path}.in` : path}
          modelPath={modelPath}
          label="kept"
          name={`Where ${name} entries are kept`}
          choices={[
            { value: NONE, word: "none" },
            { value: OWN, word: "a cache" },
            ...places.map((place) => ({ value: place, word: `in ${place}` })),
          ]}
          value={kindOf(cache)}
          modelValue={hasModel ? kindOf(model) : undefined}
          onChange={choose}
        />
        {own ? (
          <>
            <NumberField
              path={`${path}.entries`}
              modelPath={ownModel && path}
              label="entries"
              name={`Entries of ${name}`}
              value={own.entries}
              modelValue={ownModel?.entries}
              stepped={nextEntries}
              onChange={(entries) =>
                onChange({ ...own, entries: entries ?? own.entries })
              }
            />
            <NumberField
              path={`${path}.ways`}
              modelPath={ownModel && path}
              label="ways"
              name={`Ways of ${name}`}
              empty="all"
              value={own.ways}
              modelValue={ownModel?.ways}
              stepped={(ways, direction) =>
                nextWays(own.entries, ways, direction)
              }
              onChange={(ways) => onChange(withWays(own, ways))}
            />
            <ChoiceField
              path={`${path}.replacement`}
              modelPath={ownModel && path}
              label="replacement"
              name={`Replacement in ${name}`}
              choices={POLICIES}
              value={own.replacement ?? "lru"}
              modelValue={ownModel && (ownModel.replacement ?? "lru")}
              onChange={(replacement) => onChange({ ...own, replacement })}
            />
          </>
        ) : null}
      </div>
      <RowProblems path={path} />
    </li>
  );
}

function isOwn(cache: PdeCache | undefined): cache is CacheShape {
  return cache !== undefined && !("in" in cache);
}

function kindOf(cache: PdeCache | undefined): string {
  if (cache === undefined) return NONE;
  return "in" in cache ? cache.in : OWN;
}

function withWays(shape: CacheShape, ways: number | undefined): CacheShape {
  const rest = without(shape, "ways");
  return ways === undefined ? rest : { ...rest, ways };
}

function withCache(
  psc: PscConfig,
  name: Name,
  cache: PdeCache | undefined,
): PscConfig {
  const rest = without(psc, name);
  return cache === undefined ? rest : { ...rest, [name]: cache };
}

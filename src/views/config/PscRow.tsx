/** One walk cache of a machine: absent, a separate cache, or part of an L2 array. */
import type { PscName } from "../../model/words/walkCaches";
import type { CacheShape } from "../../engine/generated/CacheShape";
import type { PscConfig } from "../../engine/generated/PscConfig";
import type { WalkCache } from "../../engine/generated/WalkCache";
import { ChoiceField } from "./ChoiceField";
import { RowProblems } from "./RowProblems";
import { ShapeFields } from "./ShapeFields";
import { without } from "./without";
import type { Words } from "../../model/words/vocabulary";

const NONE = "none";
const OWN = "own";

export interface PscRowProps {
  /** Path of the cache: `psc.pde`. */
  readonly path: string;
  readonly name: PscName;
  readonly words: Words;
  /** Whether the cache is for the host's tables. */
  readonly isHost?: boolean;
  readonly cache: WalkCache | undefined;
  readonly model: WalkCache | undefined;
  readonly hasModel: boolean;
  /** Names of L2 arrays that could hold the entries. */
  readonly places: readonly string[];
  readonly onChange: (cache: WalkCache | undefined) => void;
}

export function PscRow(props: PscRowProps) {
  const { path, name, words, cache, model, hasModel, places, onChange } = props;
  const { title, about } = words.pscRow(name, props.isHost === true);
  // Guest and host have caches of the same name.
  const whole = props.isHost ? `${title} of the host` : title;
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
          <span className={title === name ? "mono" : undefined}>{title}</span>{" "}
          <span className="t3 small">{about}</span>
        </span>
        <ChoiceField
          path={cache && "in" in cache ? `${path}.in` : path}
          modelPath={modelPath}
          label="kept"
          name={`Where ${whole} entries are stored`}
          choices={[
            { value: NONE, word: "none" },
            { value: OWN, word: "own cache" },
            ...places.map((place) => ({ value: place, word: `in ${place}` })),
          ]}
          value={kindOf(cache)}
          modelValue={hasModel ? kindOf(model) : undefined}
          onChange={choose}
        />
        {own ? (
          <ShapeFields
            path={path}
            name={whole}
            shape={own}
            model={ownModel}
            onChange={onChange}
          />
        ) : null}
      </div>
      <RowProblems path={path} />
    </li>
  );
}

function isOwn(cache: WalkCache | undefined): cache is CacheShape {
  return cache !== undefined && !("in" in cache);
}

function kindOf(cache: WalkCache | undefined): string {
  if (cache === undefined) return NONE;
  return "in" in cache ? cache.in : OWN;
}

/** The walk caches with `cache` set to this value, or removed. */
export function withCache(
  psc: PscConfig,
  name: PscName,
  cache: WalkCache | undefined,
): PscConfig {
  const rest = without(psc, name);
  return cache === undefined ? rest : { ...rest, [name]: cache };
}

import type { PageSize } from "../../engine/generated/PageSize";
import type { RegionKind } from "../../engine/generated/RegionKind";
import type { RegionConfig } from "../../engine/generated/RegionConfig";
import { REGION_KINDS } from "../../model/regionKinds";
import { Icon } from "../shared/Icon";
import { ChoiceField } from "./ChoiceField";
import { RowProblems } from "./RowProblems";
import { TextField } from "./TextField";

/** The word for a region of which nothing is known. */
const UNKNOWN = "unknown";
const KINDS = [UNKNOWN, ...REGION_KINDS] as const;

export interface RegionRowProps {
  /** `os.regions[0]`. */
  readonly path: string;
  readonly region: RegionConfig;
  readonly sizes: readonly PageSize[];
  readonly onChange: (region: RegionConfig) => void;
  readonly onRemove: () => void;
}

/** A range of addresses; `end` is not in it. */
export function RegionRow(props: RegionRowProps) {
  const { path, region, sizes, onChange, onRemove } = props;
  const name = region.kind ?? region.start;
  return (
    <li className="config-row" data-testid={path}>
      <div className="config-fields config-region">
        <ChoiceField
          path={`${path}.kind`}
          label="kind"
          name={`Kind of the region at ${region.start}`}
          choices={KINDS.map((kind) => ({
            value: kind,
            word: kind,
          }))}
          value={region.kind ?? UNKNOWN}
          onChange={(kind) => onChange(withKind(region, kind))}
        />
        <TextField
          path={`${path}.start`}
          label="from"
          name={`Start of ${name}`}
          mono
          value={region.start}
          onChange={(start) => onChange({ ...region, start })}
        />
        <TextField
          path={`${path}.end`}
          label="to"
          name={`End of ${name}`}
          mono
          value={region.end}
          onChange={(end) => onChange({ ...region, end })}
        />
        <ChoiceField
          path={`${path}.pages`}
          label="pages"
          name={`Pages of ${name}`}
          choices={sizes.map((size) => ({ value: size, word: size }))}
          value={region.pages}
          onChange={(pages) => onChange({ ...region, pages })}
        />
        <button
          type="button"
          className="btn quiet icon"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </div>
      <RowProblems path={path} />
    </li>
  );
}

function withKind(
  region: RegionConfig,
  kind: RegionKind | typeof UNKNOWN,
): RegionConfig {
  const next = { ...region };
  if (kind === UNKNOWN) delete next.kind;
  else next.kind = kind;
  return next;
}

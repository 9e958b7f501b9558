import { useState } from "react";
import type { Advice } from "../../engine/generated/Advice";
import type { RegionKind } from "../../engine/generated/RegionKind";
import type { RegionConfig } from "../../engine/generated/RegionConfig";
import { familyOf } from "../../model/config/pagePolicies";
import { REGION_KINDS } from "../../engine/generated/words";
import { Icon } from "../shared/Icon";
import { CheckField } from "./CheckField";
import { ChoiceField } from "./ChoiceField";
import { useProblemsWithin } from "./fields";
import { PolicyField } from "./PolicyField";
import type { Pages } from "./PolicyField";
import { RowProblems } from "./RowProblems";
import { TextField } from "./TextField";
import { without } from "./without";

/** Fields that few regions need, hidden at first. */
const MORE = /\.(advice|offset|pretouch|copy_on_write|resident)$/;

/** The kind of a region about which nothing is known. */
const UNKNOWN = "unknown";
const KINDS = [UNKNOWN, ...REGION_KINDS] as const;

const ADVICE: readonly {
  readonly value: Advice | "none";
  readonly word: string;
}[] = [
  { value: "none", word: "none" },
  { value: "hugepage", word: "huge pages" },
  { value: "nohugepage", word: "no huge pages" },
];

export interface RegionRowProps {
  /** Path of the region: `os.regions[0]`. */
  readonly path: string;
  readonly region: RegionConfig;
  readonly pages: Pages;
  readonly onChange: (region: RegionConfig) => void;
  readonly onRemove: () => void;
}

/** A range of addresses; `end` is exclusive. */
export function RegionRow(props: RegionRowProps) {
  const { path, region, pages, onChange, onRemove } = props;
  const [isUnfolded, setIsUnfolded] = useState(() => hasMore(region));
  // The fields stay visible while one of them has an error.
  const isWrong = useProblemsWithin(path).some(({ field }) => MORE.test(field));
  const isOpen = isUnfolded || isWrong;
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
        <PolicyField
          path={`${path}.pages`}
          label="pages"
          name={`Pages of ${name}`}
          pages={pages}
          value={region.pages}
          onChange={(policy) => onChange(withPages(region, policy))}
        />
        <button
          type="button"
          className="btn quiet icon"
          aria-label={`More of ${name}`}
          aria-expanded={isOpen}
          onClick={() => setIsUnfolded(!isOpen)}
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
      {isOpen ? <MoreFields {...props} name={name} /> : null}
      <RowProblems path={path} />
    </li>
  );
}

/** The fields that few regions need: advice, file offset, and what happens before or at the first touch. */
function MoreFields(props: RegionRowProps & { readonly name: string }) {
  const { path, region, name, onChange } = props;
  return (
    <div className="config-inset">
      <div className="config-fields config-os">
        {familyOf(region.pages) === "thp" || region.advice ? (
          <ChoiceField
            path={`${path}.advice`}
            label="madvise"
            name={`Advice for ${name}`}
            help="What the program advised the system: madvise(MADV_HUGEPAGE) or madvise(MADV_NOHUGEPAGE)."
            choices={ADVICE}
            value={region.advice ?? "none"}
            onChange={(advice) =>
              onChange({
                ...without(region, "advice"),
                ...(advice !== "none" && { advice }),
              })
            }
          />
        ) : null}
        <TextField
          path={`${path}.offset`}
          label="offset in its file"
          name={`File offset of ${name}`}
          help="A file’s huge page needs an address and an offset that are equal modulo the page size. Empty: they are."
          mono
          value={region.offset ?? ""}
          onChange={(offset) =>
            onChange({
              ...without(region, "offset"),
              ...(offset !== "" && { offset }),
            })
          }
        />
      </div>
      <CheckField
        path={`${path}.pretouch`}
        label="All pages are touched before the program runs"
        help="MAP_POPULATE, or AlwaysPreTouch of a Java machine: the run has no faults, but memory is used that the program may never touch."
        value={region.pretouch === true}
        onChange={(isOn) => onChange(withFlag(region, "pretouch", isOn, false))}
      />
      <CheckField
        path={`${path}.copy_on_write`}
        label="Copy on write"
        help="Private pages as after fork(2): the first store to a page faults and copies it."
        value={region.copy_on_write === true}
        onChange={(isOn) =>
          onChange(withFlag(region, "copy_on_write", isOn, false))
        }
      />
      <CheckField
        path={`${path}.resident`}
        label="Not in memory at first"
        help="Swapped out, or a file that is not cached: the first touch of a page is a major fault."
        value={region.resident === false}
        onChange={(isOn) => onChange(withFlag(region, "resident", !isOn, true))}
      />
    </div>
  );
}

function hasMore(region: RegionConfig): boolean {
  const { advice, offset, pretouch, copy_on_write, resident } = region;
  return [advice, offset, pretouch, copy_on_write, resident].some(
    (field) => field !== undefined,
  );
}

function withKind(
  region: RegionConfig,
  kind: RegionKind | typeof UNKNOWN,
): RegionConfig {
  const rest = without(region, "kind");
  return kind === UNKNOWN ? rest : { ...rest, kind };
}

/** Removes the advice if the policy is not THP, since the core accepts it only there. */
function withPages(
  region: RegionConfig,
  pages: RegionConfig["pages"],
): RegionConfig {
  const next = { ...region, pages };
  return familyOf(pages) === "thp" ? next : without(next, "advice");
}

/** Sets a flag; a flag with its default value is left out. */
function withFlag(
  region: RegionConfig,
  flag: "pretouch" | "copy_on_write" | "resident",
  value: boolean,
  usual: boolean,
): RegionConfig {
  const rest = without(region, flag);
  return value === usual ? rest : { ...rest, [flag]: value };
}

/** The nested TLB of a machine: absent, a cache of its own, or part of an L2 array, with the sizes that it holds. */
import type { NestedInArray } from "../../engine/generated/NestedInArray";
import type { NestedTlb } from "../../engine/generated/NestedTlb";
import type { NestedTlbConfig } from "../../engine/generated/NestedTlbConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { Words } from "../../model/words/vocabulary";
import { ChoiceField } from "./ChoiceField";
import { RowProblems } from "./RowProblems";
import { ShapeFields } from "./ShapeFields";
import { Toggles } from "./Toggles";
import { without } from "./without";

const PATH = "virt.nested_tlb";
const NONE = "none";
const OWN = "own";

/** The initial settings of a nested TLB that the user adds. */
const NEW: NestedTlbConfig = { entries: 16 };

export interface NestedTlbRowProps {
  readonly words: Words;
  readonly tlb: NestedTlb | undefined;
  readonly model: NestedTlb | undefined;
  readonly hasModel: boolean;
  /** Names of L2 arrays that could hold the entries. */
  readonly places: readonly string[];
  /** Page sizes that the host may have. */
  readonly sizes: readonly PageSize[];
  readonly onChange: (tlb: NestedTlb | undefined) => void;
}

export function NestedTlbRow(props: NestedTlbRowProps) {
  const { words, tlb, model, hasModel, places, sizes, onChange } = props;
  const name = words.nestedTlb;
  const inside = tlb && "in" in tlb ? tlb : undefined;
  // A size that the host no longer has stays in sight, so that it can be removed.
  const all = [...new Set([...sizes, ...(inside?.pages ?? [])])];
  const choose = (kind: string) => {
    if (kind === NONE) onChange(undefined);
    else if (model && kindOf(model) === kind) onChange(model);
    else if (kind === OWN) onChange({ ...NEW, ...dataOf(tlb) });
    else onChange({ in: kind, ...dataOf(tlb) });
  };
  return (
    <li className="config-row" data-testid={PATH}>
      <div className="config-fields config-psc">
        <span className="config-name">
          {name}{" "}
          <span className="t3 small">{words.guestPhysical} to host pages</span>
        </span>
        <ChoiceField
          path={inside ? `${PATH}.in` : PATH}
          modelPath={hasModel ? PATH : undefined}
          label="kept"
          name={`Where ${name} entries are stored`}
          choices={[
            { value: NONE, word: "none" },
            { value: OWN, word: "own cache" },
            ...places.map((place) => ({ value: place, word: `in ${place}` })),
          ]}
          value={kindOf(tlb)}
          modelValue={hasModel ? kindOf(model) : undefined}
          onChange={choose}
        />
        {inside ? (
          <Toggles
            path={`${PATH}.pages`}
            modelPath={hasModel ? `${PATH}.pages` : undefined}
            label="host pages"
            name={`Host page sizes of the ${name}`}
            choices={all.map((size) => ({ value: size, word: size }))}
            value={inside.pages ?? all}
            modelValue={
              model && "in" in model ? (model.pages ?? all) : undefined
            }
            onChange={(pages) => onChange(withPages(inside, pages, all))}
          />
        ) : tlb && !("in" in tlb) ? (
          <ShapeFields
            path={PATH}
            name={name}
            shape={tlb}
            model={model && "in" in model ? undefined : model}
            onChange={onChange}
          />
        ) : null}
      </div>
      {tlb ? (
        <label className="config-check">
          <input
            type="checkbox"
            checked={tlb.data === true}
            onChange={(event) =>
              onChange({ ...tlb, data: event.target.checked })
            }
          />
          It also serves the data’s address, not only the guest’s tables
        </label>
      ) : null}
      <RowProblems path={PATH} />
    </li>
  );
}

function kindOf(tlb: NestedTlb | undefined): string {
  if (tlb === undefined) return NONE;
  return "in" in tlb ? tlb.in : OWN;
}

/** What stays if the entries move to another place. */
function dataOf(tlb: NestedTlb | undefined): { data?: boolean } {
  return tlb?.data === undefined ? {} : { data: tlb.data };
}

/** All sizes are the same as no list. */
function withPages(
  tlb: NestedInArray,
  pages: readonly PageSize[],
  all: readonly PageSize[],
): NestedInArray {
  const rest = without(tlb, "pages");
  return pages.length === all.length ? rest : { ...rest, pages: [...pages] };
}

/** Settings for nested walks only: walk cache style, nested TLB, walk caches of the host's tables. */
import { VIRT_STYLES, WALK_CACHES } from "../../engine/generated/words";
import { hasOneLevel } from "../../model/words/walkCaches";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { PwcConfig } from "../../engine/generated/PwcConfig";
import type { VirtConfig } from "../../engine/generated/VirtConfig";
import type { VirtStyle } from "../../engine/generated/VirtStyle";
import { wordsOfConfig } from "../../model/words/words";
import { ChoiceField } from "./ChoiceField";
import { NestedTlbRow } from "./NestedTlbRow";
import { PSC_COLUMNS } from "./PscSection";
import { PscRow, withCache } from "./PscRow";
import { RowProblems } from "./RowProblems";
import { ShapeFields } from "./ShapeFields";
import { without } from "./without";

export interface VirtSectionProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  /** Page sizes that the host may have. */
  readonly sizes: readonly PageSize[];
  readonly onChange: (virt: VirtConfig) => void;
}

const HOST_CACHES = WALK_CACHES.filter(hasOneLevel);

const LEVELS = [
  { value: "4", word: "4" },
  { value: "5", word: "5" },
] as const;

/** The initial settings of a cache that the user adds. */
const NEW_PWC: PwcConfig = { entries: 24 };

export function VirtSection(props: VirtSectionProps) {
  const { machine, model, sizes, onChange } = props;
  const virt = machine.virt ?? {};
  const own = model && (model.virt ?? {});
  const style = virt.style ?? "combined";
  const words = wordsOfConfig(machine);
  const modelPath = (path: string) => own && path;
  return (
    <section className="config-section" data-testid="virt">
      <div className="config-head">
        <h3>Under a hypervisor</h3>
        <span className="t3 small">used when {words.host} maps memory</span>
      </div>
      <ul className="config-rows">
        <li className="config-row">
          <div className="config-fields config-virt">
            <ChoiceField<VirtStyle>
              path="virt.style"
              modelPath={modelPath("virt.style")}
              label="walk caches"
              name="Style of the walk caches under a hypervisor"
              choices={VIRT_STYLES.map((value) => ({
                value,
                word: words.styles[value].word,
              }))}
              value={style}
              modelValue={own && (own.style ?? "combined")}
              onChange={(next) => onChange(withStyle(virt, next))}
            />
            <ChoiceField
              path="virt.levels"
              modelPath={modelPath("virt.levels")}
              label="host levels"
              name="Levels of the host's tables"
              choices={LEVELS}
              value={virt.levels === 5 ? "5" : "4"}
              modelValue={own && (own.levels === 5 ? "5" : "4")}
              onChange={(levels) =>
                onChange({ ...virt, levels: Number(levels) })
              }
            />
          </div>
          <p className="config-note">{words.styles[style].about}</p>
          <RowProblems path="virt.style" />
          <RowProblems path="virt.levels" />
        </li>
      </ul>
      <div className="config-columns config-psc" aria-hidden="true">
        {PSC_COLUMNS.map((column) => (
          <span key={column}>{column}</span>
        ))}
      </div>
      <ul className="config-rows">
        <NestedTlbRow
          words={words}
          tlb={virt.nested_tlb}
          model={own?.nested_tlb}
          hasModel={own !== undefined}
          places={machine.l2.map((l2) => l2.name ?? "").filter(Boolean)}
          sizes={sizes}
          onChange={(tlb) =>
            onChange(
              tlb ? { ...virt, nested_tlb: tlb } : without(virt, "nested_tlb"),
            )
          }
        />
        {style === "combined" ? (
          HOST_CACHES.map((name) => (
            <PscRow
              key={name}
              path={`virt.ept_psc.${name}`}
              name={name}
              words={words}
              isHost
              cache={virt.ept_psc?.[name]}
              model={own?.ept_psc?.[name]}
              hasModel={own !== undefined}
              places={[]}
              onChange={(cache) =>
                onChange({
                  ...virt,
                  ept_psc: withCache(virt.ept_psc ?? {}, name, cache),
                })
              }
            />
          ))
        ) : (
          <OptionalCache
            path="virt.pwc"
            name="page walk cache"
            about="table entries by address"
            cache={virt.pwc}
            model={own?.pwc}
            hasModel={own !== undefined}
            fresh={NEW_PWC}
            flag={
              style === "pwc-2d"
                ? {
                    field: "leaf_of_tables",
                    text: "It stores the host’s lowest-level entries for pages with guest tables",
                  }
                : null
            }
            onChange={(pwc) =>
              onChange(pwc ? { ...virt, pwc } : without(virt, "pwc"))
            }
          />
        )}
      </ul>
    </section>
  );
}

interface OptionalCacheProps<T extends PwcConfig> {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly cache: T | undefined;
  readonly model: T | undefined;
  readonly hasModel: boolean;
  /** The initial settings of the cache. */
  readonly fresh: T;
  /** A checkbox of this cache. */
  readonly flag: {
    readonly field: keyof T & string;
    readonly text: string;
  } | null;
  readonly onChange: (cache: T | undefined) => void;
}

/** A cache that the machine may have, with its shape and one checkbox. */
function OptionalCache<T extends PwcConfig>(props: OptionalCacheProps<T>) {
  const { path, name, about, cache, model, hasModel, fresh, flag } = props;
  const { onChange } = props;
  return (
    <li className="config-row" data-testid={path}>
      <div className="config-fields config-psc">
        <span className="config-name">
          {name} <span className="t3 small">{about}</span>
        </span>
        <ChoiceField
          path={path}
          modelPath={hasModel ? path : undefined}
          label="kept"
          name={`Presence of a ${name}`}
          choices={[
            { value: "none", word: "none" },
            { value: "own", word: "own cache" },
          ]}
          value={cache ? "own" : "none"}
          modelValue={hasModel ? (model ? "own" : "none") : undefined}
          onChange={(kind) =>
            onChange(kind === "none" ? undefined : (model ?? fresh))
          }
        />
        {cache ? (
          <ShapeFields
            path={path}
            name={name}
            shape={cache}
            model={model}
            onChange={onChange}
          />
        ) : null}
      </div>
      {cache && flag ? (
        <label className="config-check">
          <input
            type="checkbox"
            checked={cache[flag.field] === true}
            onChange={(event) =>
              onChange({ ...cache, [flag.field]: event.target.checked })
            }
          />
          {flag.text}
        </label>
      ) : null}
      <RowProblems path={path} />
    </li>
  );
}

/** Changes the style, and leaves out the caches that walks of this style do not use. */
function withStyle(virt: VirtConfig, style: VirtStyle): VirtConfig {
  if (style === "combined") return { ...without(virt, "pwc"), style };
  const kept = { ...without(virt, "ept_psc"), style };
  return virt.pwc && style !== "pwc-2d"
    ? { ...kept, pwc: without(virt.pwc, "leaf_of_tables") }
    : kept;
}

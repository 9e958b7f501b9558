/** The caches that serve page-table reads, nearest first, and DRAM. */
import type { CacheConfig } from "../../engine/generated/CacheConfig";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { MemoryConfig } from "../../engine/generated/MemoryConfig";
import { Icon } from "../shared/Icon";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { TextField } from "./TextField";
import { without } from "./without";

export interface MemorySectionProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  readonly onChange: (memory: MemoryConfig) => void;
}

export function MemorySection(props: MemorySectionProps) {
  const { machine, model, onChange } = props;
  const { memory } = machine;
  const setCaches = (caches: CacheConfig[]) => onChange({ ...memory, caches });
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>Caches for page-table reads</h3>
        <button
          type="button"
          className="btn"
          onClick={() => setCaches([...memory.caches, newCache(memory)])}
        >
          <Icon name="plus" /> Add a cache
        </button>
      </div>
      <ul className="config-rows">
        {memory.caches.map((cache, i) => (
          <CacheRow
            key={i}
            path={`memory.caches[${i}]`}
            cache={cache}
            original={originalOf(model, cache)}
            onChange={(next) => setCaches(memory.caches.with(i, next))}
            onRemove={() =>
              setCaches(memory.caches.filter((_, at) => at !== i))
            }
          />
        ))}
        <li className="config-row">
          <div className="config-fields config-cache">
            <span className="config-name">DRAM</span>
            <span className="config-cache-gap" />
            <NumberField
              path="memory.dram"
              modelPath={model && "memory.dram"}
              label="cycles"
              name="Cycles of a read from DRAM"
              value={memory.dram}
              modelValue={model?.memory.dram}
              onChange={(dram) => onChange({ ...memory, dram: dram ?? 0 })}
            />
          </div>
          <RowProblems path="memory.dram" />
        </li>
      </ul>
      <label className="config-check">
        <input
          type="checkbox"
          checked={memory.data}
          onChange={(event) =>
            onChange({ ...memory, data: event.target.checked })
          }
        />
        Data accesses go through these caches too and evict page-table lines
      </label>
    </section>
  );
}

interface CacheRowProps {
  readonly path: string;
  readonly cache: CacheConfig;
  readonly original:
    { readonly path: string; readonly cache: CacheConfig } | undefined;
  readonly onChange: (cache: CacheConfig) => void;
  readonly onRemove: () => void;
}

function CacheRow(props: CacheRowProps) {
  const { path, cache, original, onChange, onRemove } = props;
  const { name } = cache;
  const model = original?.cache;
  const at = (field: string) => ({
    path: `${path}.${field}`,
    modelPath: original && `${original.path}.${field}`,
  });
  return (
    <li className="config-row" data-testid={path}>
      <div className="config-fields config-cache">
        <TextField
          {...at("name")}
          label="name"
          name={`Name of ${name}`}
          value={name}
          onChange={(name) => onChange({ ...cache, name })}
        />
        <TextField
          {...at("size")}
          label="size"
          name={`Size of ${name}`}
          mono
          value={cache.size}
          modelValue={model?.size}
          onChange={(size) => onChange({ ...cache, size: size.toUpperCase() })}
        />
        <NumberField
          {...at("ways")}
          label="ways"
          name={`Ways of ${name}`}
          empty="all"
          value={cache.ways}
          modelValue={model?.ways}
          onChange={(ways) => onChange(withOptional(cache, "ways", ways))}
        />
        <NumberField
          {...at("line")}
          label="line"
          name={`Bytes of a line of ${name}`}
          empty="64"
          value={cache.line}
          modelValue={model?.line}
          stepped={(line, direction) =>
            direction > 0
              ? Math.min(4096, line * 2)
              : Math.max(64, Math.floor(line / 2))
          }
          onChange={(line) => onChange(withOptional(cache, "line", line))}
        />
        <NumberField
          {...at("latency")}
          label="cycles"
          name={`Cycles of a hit in ${name}`}
          value={cache.latency}
          modelValue={model?.latency}
          onChange={(latency) => onChange({ ...cache, latency: latency ?? 0 })}
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

function withOptional(
  cache: CacheConfig,
  field: "ways" | "line",
  value: number | undefined,
): CacheConfig {
  const rest = without(cache, field);
  return value === undefined ? rest : { ...rest, [field]: value };
}

function originalOf(model: MachineConfig | undefined, { name }: CacheConfig) {
  const caches = model?.memory.caches ?? [];
  const at = caches.findIndex((other) => other.name === name);
  const cache = caches[at];
  return cache && { path: `memory.caches[${at}]`, cache };
}

function newCache({ caches }: MemoryConfig): CacheConfig {
  const last = caches.at(-1);
  return {
    name: `L${caches.length + 1}`,
    size: last ? "1M" : "32K",
    ways: 8,
    latency: last ? last.latency * 3 : 4,
  };
}

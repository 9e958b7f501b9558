/** The latencies of the cycle model. */
import { SERVED_KINDS } from "../../engine/generated/words";
import type { ByKind } from "../../engine/generated/ByKind";
import type { L2Hit } from "../../engine/generated/L2Hit";
import type { LatencyConfig } from "../../engine/generated/LatencyConfig";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";

export interface LatencySectionProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  readonly onChange: (latency: LatencyConfig) => void;
}

export function LatencySection(props: LatencySectionProps) {
  const { machine, model, onChange } = props;
  const { latency } = machine;
  const hits = byKind(latency.l2_hit);
  const modelHits = model && byKind(model.latency.l2_hit);
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>Cycles of a translation</h3>
        <span className="t3 small">a model, not a measurement</span>
      </div>
      <ul className="config-rows">
        <li className="config-row" data-testid="latency">
          <div className="config-fields config-latency">
            {SERVED_KINDS.map((kind) => (
              <NumberField
                key={kind}
                path={
                  typeof latency.l2_hit === "number"
                    ? "latency.l2_hit"
                    : `latency.l2_hit.${kind}`
                }
                modelPath={model && `latency.l2_hit.${kind}`}
                label={`L2 TLB hit, ${kind}`}
                name={`Cycles of a second-level hit of a ${kind}; a miss costs as much before its walk`}
                value={hits[kind]}
                modelValue={modelHits?.[kind]}
                onChange={(cycles) =>
                  onChange({
                    ...latency,
                    l2_hit: written(
                      { ...hits, [kind]: cycles ?? 0 },
                      model?.latency.l2_hit,
                    ),
                  })
                }
              />
            ))}
            <NumberField
              path="latency.walk_overhead"
              modelPath={model && "latency.walk_overhead"}
              label="per walk"
              name="Cycles of each walk besides its references"
              value={latency.walk_overhead}
              modelValue={model?.latency.walk_overhead}
              onChange={(cycles) =>
                onChange({ ...latency, walk_overhead: cycles ?? 0 })
              }
            />
          </div>
          <RowProblems path="latency" />
        </li>
      </ul>
    </section>
  );
}

function byKind(l2Hit: L2Hit): ByKind {
  return typeof l2Hit === "number"
    ? { fetch: l2Hit, load: l2Hit, store: l2Hit }
    : l2Hit;
}

/** Writes one number if all three are equal, unless the model writes three. */
function written(hits: ByKind, model: L2Hit | undefined): L2Hit {
  const { fetch, load, store } = hits;
  const isOne = fetch === load && load === store;
  return isOne && (model === undefined || typeof model === "number")
    ? fetch
    : hits;
}

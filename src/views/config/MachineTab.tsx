/** The machine as a form with a row of fields per structure. */
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import { missingWalkCaches } from "../../model/config/walkCaches";
import { bytesOf } from "../../model/shared/pageSizes";
import { ArraySection } from "./ArraySection";
import { CoreSection } from "./CoreSection";
import { EventSection } from "./EventSection";
import { FieldsContext, TypedContext } from "./fields";
import { GeometrySection } from "./GeometrySection";
import { LatencySection } from "./LatencySection";
import { MemorySection } from "./MemorySection";
import { TextField } from "./TextField";
import { PrefetchSection } from "./PrefetchSection";
import { PscSection } from "./PscSection";
import { VirtSection } from "./VirtSection";
import { useDraft } from "./useDraft";
import type { Apply } from "./useDraft";
import { useTyped } from "./useTyped";

export interface MachineTabProps {
  readonly machine: MachineConfig;
  /** The CPU model that the machine started from. */
  readonly model: CpuModel | undefined;
  /** Page sizes of the machine. */
  readonly sizes: readonly PageSize[];
  readonly onMachine: Apply<MachineConfig>;
}

export function MachineTab(props: MachineTabProps) {
  const { model, sizes } = props;
  const {
    value: machine,
    problems: drafted,
    change,
  } = useDraft(props.machine, props.onMachine);
  const [typed, reportTyped] = useTyped();
  const problems = [...typed, ...drafted];
  const others = problems.filter(({ field }) => !isShown(field));
  const original = model?.machine;
  const noWalkCaches = missingWalkCaches(machine, model);
  return (
    <FieldsContext value={{ problems, model }}>
      <TypedContext value={reportTyped}>
        {problems.length > 0 ? (
          <p className="config-state" role="status">
            Not applied yet. The pictures still show the previous machine.
          </p>
        ) : null}
        {others.map(({ field, message }) => (
          <p key={field} className="problem" role="alert">
            {field ? `${field}: ` : ""}
            {message}
          </p>
        ))}
        <div className="config-machine-name">
          <TextField
            path="name"
            modelPath={original && "name"}
            label="name of the machine"
            name="Name of the machine"
            value={machine.name}
            modelValue={original?.name}
            onChange={(name) => change({ ...machine, name })}
          />
        </div>
        {(["l1", "l2"] as const).map((level) => (
          <ArraySection
            key={level}
            level={level}
            arrays={machine[level]}
            originals={original?.[level] ?? []}
            sizes={heldSizes(machine, sizes)}
            onChange={(arrays) => change({ ...machine, [level]: arrays })}
          />
        ))}
        {noWalkCaches === undefined ? null : (
          <p className="config-state small">{noWalkCaches}.</p>
        )}
        <PscSection
          machine={machine}
          model={original}
          onChange={(psc) => change({ ...machine, psc })}
        />
        <VirtSection
          machine={machine}
          model={original}
          sizes={sizes}
          onChange={(virt) => change({ ...machine, virt })}
        />
        <CoreSection machine={machine} model={original} onChange={change} />
        <GeometrySection machine={machine} model={original} onChange={change} />
        <LatencySection
          machine={machine}
          model={original}
          onChange={(latency) => change({ ...machine, latency })}
        />
        <MemorySection
          machine={machine}
          model={original}
          onChange={(memory) => change({ ...machine, memory })}
        />
        <EventSection machine={machine} onChange={change} />
        <PrefetchSection machine={machine} model={original} onChange={change} />
      </TypedContext>
    </FieldsContext>
  );
}

/** Returns whether the form has a place for the errors of this field. */
function isShown(field: string): boolean {
  return /^(l1|l2)(\[|$)|^(name|inclusion|walkers|outstanding_misses|seed|levels|coalescing)$|^control\.pcids$|^paging(\.|$)|^psc\.|^virt\.(style|levels|nested_tlb|pwc|ept_psc\.)|^latency\.|^(tlb_prefetch|pom_tlb|victima|ecpt|event_costs)(\.|$)|^memory\.(caches\[|dram)/.test(
    field,
  );
}

/** The sizes that an array may hold: page sizes, and sizes of groups of adjacent pages. */
function heldSizes(
  { l1, l2 }: MachineConfig,
  sizes: readonly PageSize[],
): readonly PageSize[] {
  const listed = [...l1, ...l2].flatMap(({ pages }) => pages ?? []);
  return [...new Set([...sizes, ...listed])].sort(
    (a, b) => bytesOf(a) - bytesOf(b),
  );
}

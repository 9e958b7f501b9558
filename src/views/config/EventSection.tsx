/** The cycles of page faults, VM exits and shootdowns, which are apart from those of translation. */
import type { EventCosts } from "../../engine/generated/EventCosts";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { without } from "./without";

export interface EventSectionProps {
  readonly machine: MachineConfig;
  readonly onChange: (machine: MachineConfig) => void;
}

const NO_COSTS: EventCosts = {
  minor_fault: 0,
  major_fault: 0,
  vm_exit: 0,
  shootdown: 0,
};
const EVENTS: readonly {
  readonly field: keyof EventCosts;
  readonly label: string;
  readonly name: string;
  readonly help: string;
}[] = [
  {
    field: "minor_fault",
    label: "minor fault",
    name: "Cycles of a minor page fault",
    help: "A page fault without a disk. Published: 1,050 cycles on Haswell for entry and return alone (L. Torvalds, 2014).",
  },
  {
    field: "major_fault",
    label: "major fault",
    name: "Cycles of a major page fault",
    help: "A page fault that waits for a disk: 100 µs are 300,000 cycles at 3 GHz.",
  },
  {
    field: "vm_exit",
    label: "VM exit",
    name: "Cycles of a VM exit",
    help: "Published: 1,344 to 1,376 cycles without the hypervisor's work (KVM list, 2020).",
  },
  {
    field: "shootdown",
    label: "shootdown",
    name: "Cycles of a shootdown",
    help: "Until all cores have answered. No published number names processor, cores and method.",
  },
];

export function EventSection({ machine, onChange }: EventSectionProps) {
  const costs = { ...NO_COSTS, ...machine.event_costs };
  const put = (field: keyof EventCosts, cycles: number | undefined) => {
    const next = { ...costs, [field]: cycles ?? 0 };
    const isPriced = Object.values(next).some((each) => each > 0);
    onChange(
      isPriced
        ? { ...machine, event_costs: next }
        : without(machine, "event_costs"),
    );
  };
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>Cycles of events</h3>
        <span className="t3 small">
          apart from translation; no model has prices: measure yours
        </span>
      </div>
      <ul className="config-rows">
        <li className="config-row" data-testid="event_costs">
          <div className="config-fields config-latency">
            {EVENTS.map(({ field, ...event }) => (
              <NumberField
                key={field}
                path={`event_costs.${field}`}
                {...event}
                empty="none"
                value={costs[field] || undefined}
                onChange={(cycles) => put(field, cycles)}
              />
            ))}
          </div>
          <RowProblems path="event_costs" />
        </li>
      </ul>
    </section>
  );
}

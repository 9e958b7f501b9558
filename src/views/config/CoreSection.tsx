/** How the TLB levels relate, the number of page walkers, PCIDs, and the random seed. */
import { INCLUSION_CHOICES } from "../../model/config/choices";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import { wordsOfConfig } from "../../model/words/words";
import { ChoiceField } from "./ChoiceField";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { without } from "./without";

export interface CoreSectionProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  readonly onChange: (machine: MachineConfig) => void;
}

export function CoreSection({ machine, model, onChange }: CoreSectionProps) {
  const { space, spacesOfLinux } = wordsOfConfig(machine);
  const change = (part: Partial<MachineConfig>) =>
    onChange({ ...machine, ...part });
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>Levels and walkers</h3>
        <span className="t3 small">
          walkers and misses in flight change only the cycles with overlap
        </span>
      </div>
      <ul className="config-rows">
        <li className="config-row" data-testid="core">
          <div className="config-fields config-latency">
            <ChoiceField
              path="inclusion"
              modelPath={model && "inclusion"}
              label="level 2 is"
              name="How level 2 relates to level 1"
              choices={INCLUSION_CHOICES}
              value={machine.inclusion}
              modelValue={model?.inclusion}
              onChange={(inclusion) => change({ inclusion })}
            />
            <NumberField
              path="walkers"
              modelPath={model && "walkers"}
              label="walkers"
              name="Number of page walkers"
              value={machine.walkers}
              modelValue={model?.walkers}
              onChange={(walkers) => change({ walkers: walkers ?? 1 })}
            />
            <NumberField
              path="outstanding_misses"
              modelPath={model && "outstanding_misses"}
              label="misses in flight"
              name="Level-1 misses in flight"
              help="How many level-1 misses the core has in flight at the same time. No source gives it for a model."
              empty="16"
              value={machine.outstanding_misses}
              modelValue={model?.outstanding_misses}
              onChange={(outstanding_misses) =>
                outstanding_misses === undefined
                  ? onChange(without(machine, "outstanding_misses"))
                  : change({ outstanding_misses })
              }
            />
            <NumberField
              path="control.pcids"
              modelPath={model && "control.pcids"}
              label={`${space}s kept`}
              name={`${space}s that the kernel keeps`}
              help={`The kernel gives ${space}s to processes in turn: ${spacesOfLinux}. With 0, each process switch invalidates all entries except global ones.`}
              empty="one per process"
              value={machine.control?.pcids}
              modelValue={model?.control?.pcids}
              onChange={(pcids) =>
                change({ control: pcids === undefined ? {} : { pcids } })
              }
            />
            <NumberField
              path="seed"
              modelPath={model && "seed"}
              label="seed"
              name="Seed of random replacement"
              help="For arrays with random replacement: another seed picks other victims."
              value={machine.seed}
              modelValue={model?.seed}
              onChange={(seed) => change({ seed: seed ?? 1 })}
            />
          </div>
          <RowProblems path="inclusion" />
          <RowProblems path="control.pcids" />
          <RowProblems path="seed" />
          <RowProblems path="walkers" />
          <RowProblems path="outstanding_misses" />
        </li>
      </ul>
    </section>
  );
}

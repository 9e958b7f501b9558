/** A prefetcher of TLB entries, translations in memory or its caches, and hashed page tables: most machines have none. */
import { DEFAULT_ECPT } from "../../engine/generated/researchDefaults";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { PomConfig } from "../../engine/generated/PomConfig";
import type { PrefetchInto } from "../../engine/generated/PrefetchInto";
import type { PrefetchMethod } from "../../engine/generated/PrefetchMethod";
import type { TlbPrefetchConfig } from "../../engine/generated/TlbPrefetchConfig";
import { ChoiceField } from "./ChoiceField";
import { EcptFields } from "./EcptFields";
import { NumberField } from "./NumberField";
import { RowProblems } from "./RowProblems";
import { ShapeFields } from "./ShapeFields";
import { TextField } from "./TextField";
import { VictimaRow } from "./VictimaRow";
import { without } from "./without";

export interface PrefetchSectionProps {
  readonly machine: MachineConfig;
  readonly model: MachineConfig | undefined;
  readonly onChange: (machine: MachineConfig) => void;
}

type Method = PrefetchMethod | "none";

const METHODS: readonly { value: Method; word: string }[] = [
  { value: "none", word: "none" },
  { value: "next-page", word: "next page" },
  { value: "stride", word: "stride" },
  { value: "distance", word: "distance" },
];
const PLACES: readonly { value: PrefetchInto; word: string }[] = [
  { value: "buffer", word: "a buffer" },
  { value: "l2", word: "level 2" },
];
const POM_CHOICES = [
  { value: "none", word: "none" },
  { value: "pom", word: "in memory" },
] as const;
const NEW_BUFFER = { entries: 16 };
const NEW_POM: PomConfig = { size: "16M" };
const TABLE_CHOICES = [
  { value: "radix", word: "radix trees" },
  { value: "ecpt", word: "hashed" },
] as const;
export function PrefetchSection(props: PrefetchSectionProps) {
  const { machine, model, onChange } = props;
  const { tlb_prefetch: prefetch, pom_tlb: pom, ecpt } = machine;
  const change = (part: Partial<MachineConfig>) =>
    onChange({ ...machine, ...part });
  return (
    <section className="config-section">
      <div className="config-head">
        <h3>
          Prefetches of TLB entries, translations in memory, hashed page tables
        </h3>
        <span className="t3 small">
          for research: no model has one, and no machine has two
        </span>
      </div>
      <ul className="config-rows">
        <li className="config-row" data-testid="tlb_prefetch">
          <div className="config-fields config-latency">
            <ChoiceField
              path="tlb_prefetch.method"
              modelPath={model && "tlb_prefetch.method"}
              label="prefetcher"
              name="Prefetcher of TLB entries"
              help="Next page: at the last line of a page. Stride: by the last misses of an instruction. Distance: by what followed this distance between two misses."
              choices={METHODS}
              value={prefetch?.method ?? "none"}
              modelValue={model && (model.tlb_prefetch?.method ?? "none")}
              onChange={(method) => onChange(withMethod(machine, method))}
            />
            {prefetch === undefined ? null : (
              <PrefetchFields
                prefetch={prefetch}
                onChange={(tlb_prefetch) => change({ tlb_prefetch })}
              />
            )}
          </div>
          <RowProblems path="tlb_prefetch" />
        </li>
        <li className="config-row" data-testid="pom_tlb">
          <div className="config-fields config-latency">
            <ChoiceField
              path="pom_tlb"
              modelPath={model && "pom_tlb"}
              label="POM-TLB"
              name="POM-TLB"
              help="A large TLB in memory behind level 2, whose sets the memory caches hold."
              choices={POM_CHOICES}
              value={pom ? "pom" : "none"}
              modelValue={model && (model.pom_tlb ? "pom" : "none")}
              onChange={(value) =>
                value === "pom"
                  ? change({ pom_tlb: NEW_POM })
                  : onChange(without(machine, "pom_tlb"))
              }
            />
            {pom === undefined ? null : (
              <>
                <TextField
                  path="pom_tlb.size"
                  label="size"
                  name="Size of the POM-TLB"
                  mono
                  value={pom.size}
                  onChange={(size) =>
                    change({ pom_tlb: { ...pom, size: size.toUpperCase() } })
                  }
                />
                <NumberField
                  path="pom_tlb.dram"
                  label="cycles"
                  name="Cycles of a read of the POM-TLB from DRAM"
                  empty="as DRAM"
                  value={pom.dram}
                  onChange={(dram) =>
                    change({
                      pom_tlb:
                        dram === undefined
                          ? without(pom, "dram")
                          : { ...pom, dram },
                    })
                  }
                />
              </>
            )}
          </div>
          <RowProblems path="pom_tlb" />
        </li>
        <VictimaRow machine={machine} model={model} onChange={onChange} />
        <li className="config-row" data-testid="ecpt">
          <div className="config-fields config-latency">
            <ChoiceField
              path="ecpt"
              modelPath={model && "ecpt"}
              label="page tables"
              name="Page tables"
              help="Hashed: elastic cuckoo page tables (ECPT). Each page size has a table of its own. A walk reads all lines that may hold the page at the same time."
              choices={TABLE_CHOICES}
              value={ecpt ? "ecpt" : "radix"}
              modelValue={model && (model.ecpt ? "ecpt" : "radix")}
              onChange={(value) =>
                onChange(
                  value === "ecpt"
                    ? { ...machine, ecpt: DEFAULT_ECPT, psc: {} }
                    : {
                        ...without(machine, "ecpt"),
                        psc: model?.psc ?? machine.psc,
                      },
                )
              }
            />
            {ecpt === undefined ? null : (
              <EcptFields
                ecpt={{ ...DEFAULT_ECPT, ...ecpt }}
                onChange={(ecpt) => change({ ecpt })}
              />
            )}
          </div>
          <RowProblems path="ecpt" />
        </li>
      </ul>
    </section>
  );
}

interface PrefetchFieldsProps {
  readonly prefetch: TlbPrefetchConfig;
  readonly onChange: (prefetch: TlbPrefetchConfig) => void;
}

function PrefetchFields({ prefetch, onChange }: PrefetchFieldsProps) {
  const withNumber = (field: "rows" | "distances", n: number | undefined) => {
    const rest = without(prefetch, field);
    onChange(n === undefined ? rest : { ...rest, [field]: n });
  };
  const into = prefetch.into ?? "buffer";
  return (
    <>
      <NumberField
        path="tlb_prefetch.rows"
        label="rows"
        name="Rows of the prefetcher's table"
        empty="64"
        value={prefetch.rows}
        onChange={(rows) => withNumber("rows", rows)}
      />
      {prefetch.method === "distance" ? (
        <NumberField
          path="tlb_prefetch.distances"
          label="distances in a row"
          name="Distances in a row of the table"
          empty="2"
          value={prefetch.distances}
          onChange={(distances) => withNumber("distances", distances)}
        />
      ) : null}
      <ChoiceField
        path="tlb_prefetch.into"
        label="into"
        name="Place of prefetched entries"
        choices={PLACES}
        value={into}
        onChange={(place) =>
          onChange({ ...without(prefetch, "buffer"), into: place })
        }
      />
      {into === "buffer" ? (
        <ShapeFields
          path="tlb_prefetch.buffer"
          name="the prefetch buffer"
          shape={prefetch.buffer ?? NEW_BUFFER}
          model={undefined}
          onChange={(buffer) => onChange({ ...prefetch, buffer })}
        />
      ) : null}
    </>
  );
}

function withMethod(machine: MachineConfig, method: Method): MachineConfig {
  if (method === "none") return without(machine, "tlb_prefetch");
  // Only rows of distances hold distances.
  const kept: Partial<TlbPrefetchConfig> = machine.tlb_prefetch ?? {};
  const rest = method === "distance" ? kept : without(kept, "distances");
  return { ...machine, tlb_prefetch: { ...rest, method } };
}

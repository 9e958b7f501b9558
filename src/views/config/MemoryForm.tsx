/** The choices of the memory picker; each takes effect at once and can be undone. */
import { useId } from "react";
import type { ReactNode } from "react";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { MemoryConfig } from "../../engine/generated/MemoryConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PagePolicy } from "../../engine/generated/PagePolicy";
import type { PageSize } from "../../engine/generated/PageSize";
import type { TableFormat } from "../../engine/generated/TableFormat";
import type { Virt } from "../../engine/generated/Virt";
import { VIRTS } from "../../engine/generated/words";
import { counted } from "../../model/shared/format";
import {
  VIRT_MEANINGS,
  defaultHostPages,
  hostPages,
  virtOf,
  withHostPages,
  withVirt,
} from "../../model/config/mapping";
import {
  onlyPolicy,
  policyWord,
  withPolicy,
} from "../../model/config/pagePolicies";
import { wordsOf } from "../../model/words/words";
import { Segmented } from "../shared/Segmented";

export interface MemoryFormProps {
  readonly os: OsConfig;
  /** The table format that gives the choices their words. */
  readonly tables: TableFormat;
  readonly memory: MemoryConfig;
  /** The caches that "on" restores; empty if the model has none. */
  readonly modelCaches: MemoryConfig["caches"];
  /** Table levels of the guest and of the host; `null` if a custom geometry replaces the choice of 4 or 5. */
  readonly levels: number | null;
  readonly hostLevels: number | null;
  /** Page sizes of the guest and of the host. */
  readonly sizes: readonly PageSize[];
  /** Why the CPU model has no nested paging; missing if it has. */
  readonly noNested?: string | undefined;
  /** Why the CPU model has no walk caches, if only a source is missing. */
  readonly noWalkCaches?: string | undefined;
  /** Whether the machine has walk caches, and whether they can be turned on; missing = no choice is offered. */
  readonly walkCaches?: {
    readonly isOn: boolean;
    readonly isFixed: boolean;
    readonly onChange: (isOn: boolean) => void;
  };
  readonly onOs: (os: OsConfig) => void;
  readonly onMachine: (part: Partial<MachineConfig>) => void;
  readonly onHostLevels: (levels: number) => void;
}

const AS_GUEST = "as the guest";

export function MemoryForm(props: MemoryFormProps) {
  const { os, memory, modelCaches, levels, hostLevels, sizes } = props;
  const { walkCaches, onOs, onMachine, onHostLevels } = props;
  const virt = virtOf(os);
  const host = hostPages(os);
  const isGuest = virt !== "native";
  const words = wordsOf(props);
  const pages = sizes.map((size) => ({ value: size, label: size }));
  const setCaches = (caches: MemoryConfig["caches"]) =>
    onMachine({ memory: { ...memory, caches } });
  return (
    <>
      <Choice label="mapped" note={VIRT_MEANINGS[virt]}>
        <Segmented<Virt>
          label="How memory is mapped"
          choices={VIRTS.map((value) => ({ value, label: words.virt[value] }))}
          value={virt}
          onChange={(next) => onOs(withVirt(os, next))}
        />
      </Choice>
      {virt === "ept" && props.noNested !== undefined ? (
        <p className="memory-warning">
          {props.noNested}, as “{words.virt.shadow}” does.
        </p>
      ) : null}
      {props.noWalkCaches === undefined ? null : (
        <p className="memory-warning">{props.noWalkCaches}.</p>
      )}
      <Choice
        label={isGuest ? "guest pages" : "pages"}
        note={policyNote(onlyPolicy(os), sizes)}
      >
        <Segmented
          label={isGuest ? "Pages of the guest" : "Pages"}
          choices={pages}
          value={onlyPolicy(os) ?? ""}
          onChange={(size) => onOs(withPolicy(os, size))}
        />
      </Choice>
      {isGuest ? (
        <Choice
          label="host pages"
          note={host === undefined ? "" : policyNote(host, sizes)}
        >
          <Segmented
            label="Pages of the host"
            choices={
              virt === "shadow"
                ? [...pages, { value: AS_GUEST, label: AS_GUEST }]
                : pages
            }
            value={
              host === null ? "" : (host ?? defaultHostPages(virt) ?? AS_GUEST)
            }
            onChange={(size) =>
              onOs(withHostPages(os, size === AS_GUEST ? undefined : size))
            }
          />
        </Choice>
      ) : null}
      {levels === null ? null : (
        <Choice label={isGuest ? "guest levels" : "levels"}>
          <Levels
            label={isGuest ? "Levels of the guest's tables" : "Levels"}
            value={levels}
            onChange={(next) => onMachine({ levels: next })}
          />
        </Choice>
      )}
      {virt === "ept" && hostLevels !== null ? (
        <Choice label="host levels">
          <Levels
            label="Levels of the host's tables"
            value={hostLevels}
            onChange={onHostLevels}
          />
        </Choice>
      ) : null}
      <hr className="menu-line" />
      <Choice label="caches" note={cachesText(memory)}>
        <Segmented<"on" | "off">
          label="Caches for page-table reads"
          choices={[
            {
              value: "on",
              label: "on",
              ...(modelCaches.length === 0 && memory.caches.length === 0
                ? { disabled: "This machine has none: add them in the editor." }
                : {}),
            },
            { value: "off", label: "off" },
          ]}
          value={memory.caches.length > 0 ? "on" : "off"}
          onChange={(next) => setCaches(next === "on" ? modelCaches : [])}
        />
      </Choice>
      {walkCaches ? (
        <Choice
          label="walk caches"
          note={
            walkCaches.isOn ? "" : "every walk is cold: it reads all tables"
          }
        >
          <Segmented<"on" | "off">
            label="Walk caches"
            choices={[
              {
                value: "on",
                label: "on",
                ...(walkCaches.isFixed
                  ? {
                      disabled:
                        "This machine has none: add them in the editor.",
                    }
                  : {}),
              },
              { value: "off", label: "off" },
            ]}
            value={walkCaches.isOn ? "on" : "off"}
            onChange={(next) => walkCaches.onChange(next === "on")}
          />
        </Choice>
      ) : null}
      <label className="config-check">
        <input
          type="checkbox"
          checked={memory.data}
          onChange={(event) =>
            onMachine({ memory: { ...memory, data: event.target.checked } })
          }
        />
        Data accesses go through them too
      </label>
    </>
  );
}

/** Says what is chosen if it is none of the page sizes. */
function policyNote(
  policy: PagePolicy | null,
  sizes: readonly PageSize[],
): string {
  if (policy === null) return "by region: see Mapping in the editor";
  return sizes.includes(policy)
    ? ""
    : `${policyWord(policy)}: see Mapping in the editor`;
}

function Levels({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly onChange: (levels: number) => void;
}) {
  return (
    <Segmented
      label={label}
      choices={[
        { value: "4", label: "4" },
        { value: "5", label: "5" },
      ]}
      value={String(value)}
      onChange={(next) => onChange(Number(next))}
    />
  );
}

/** Lists the caches in order: `L1D, L2, L3, then DRAM in 200 cycles`. */
function cachesText({ caches, dram }: MemoryConfig): string {
  const dramText = `DRAM in ${counted(dram, "cycle")}`;
  if (caches.length === 0) return `every reference reads ${dramText}`;
  return `${caches.map(({ name }) => name).join(", ")}, then ${dramText}`;
}

function Choice({
  label,
  note = "",
  children,
}: {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="memory-choice" role="group" aria-labelledby={id}>
      <span id={id} className="memory-label">
        {label}
      </span>
      {children}
      {note === "" ? null : <p className="memory-note">{note}</p>}
    </div>
  );
}

/**
 * The editor of the machine and the memory mapping: a drawer next to the pictures, which follow every change.
 */
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import type { OsConfig } from "../../engine/generated/OsConfig";
import type { PageSize } from "../../engine/generated/PageSize";
import type { RecordedView } from "../../engine/generated/RecordedView";
import type { RegionView } from "../../engine/generated/RegionView";
import { headingOf } from "../../model/config/cpus";
import { hugePage } from "../../model/config/pagePolicies";
import { tablesOf } from "../../model/words/words";
import { Icon } from "../shared/Icon";
import { Segmented } from "../shared/Segmented";
import { JsonTab } from "./JsonTab";
import { MachineTab } from "./MachineTab";
import { MappingTab } from "./MappingTab";
import type { Apply } from "./useDraft";
import { Drawer } from "../shared/Drawer";
import "./config.css";

export type Tab = "machine" | "mapping" | "json";

export interface ConfigPanelProps {
  readonly tab: Tab;
  readonly machine: MachineConfig;
  readonly os: OsConfig;
  readonly model: CpuModel | undefined;
  /** Whether the machine differs from its CPU model. */
  readonly edited: boolean;
  /** A new number discards text that is typed and not applied. */
  readonly revision: number;
  readonly jsonDraft: string | null;
  readonly onJsonDraft: (text: string | null) => void;
  readonly sizes: readonly PageSize[];
  readonly touched: readonly RegionView[];
  readonly recorded?: RecordedView | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onTab: (tab: Tab) => void;
  readonly onMachine: Apply<MachineConfig>;
  readonly onOs: Apply<OsConfig>;
  readonly onReset: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onClose: () => void;
}

const TABS = [
  { value: "machine", label: "Machine" },
  { value: "mapping", label: "Mapping" },
  { value: "json", label: "JSON" },
] as const;

export function ConfigPanel(props: ConfigPanelProps) {
  const { tab, machine, os, model, sizes, onMachine, onClose } = props;
  return (
    <Drawer label="Configuration" className="config" onClose={onClose}>
      <ConfigHeader {...props} />
      <div className="config-body">
        {tab === "machine" ? (
          <MachineTab
            key={props.revision}
            machine={machine}
            model={model}
            sizes={sizes}
            onMachine={onMachine}
          />
        ) : tab === "mapping" ? (
          <MappingTab
            key={props.revision}
            os={os}
            tables={tablesOf(machine)}
            sizes={sizes}
            arrays={[...machine.l1, ...machine.l2].map(({ name = "" }) => name)}
            huge={hugePage(machine)}
            touched={props.touched}
            recorded={props.recorded}
            noNested={model?.no_nested}
            onOs={props.onOs}
          />
        ) : (
          <JsonTab
            machine={machine}
            draft={props.jsonDraft}
            onDraft={props.onJsonDraft}
            onMachine={onMachine}
          />
        )}
      </div>
    </Drawer>
  );
}

function ConfigHeader(props: ConfigPanelProps) {
  const { tab, machine, model, edited } = props;
  return (
    <div className="config-header">
      <div className="config-title">
        <h2>{machine.name || "Machine"}</h2>
        <span className="t2 small">
          {edited && model
            ? `changed from ${model.name}`
            : model
              ? headingOf(model)
              : ""}
        </span>
      </div>
      <Segmented
        label="Section of the configuration"
        choices={TABS}
        value={tab}
        onChange={props.onTab}
      />
      <span className="spacer" />
      <button
        type="button"
        className="btn icon"
        aria-label="Undo"
        title="Undo (Ctrl Z)"
        disabled={!props.canUndo}
        onClick={props.onUndo}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className="btn icon"
        aria-label="Redo"
        title="Redo (Ctrl Shift Z)"
        disabled={!props.canRedo}
        onClick={props.onRedo}
      >
        <Icon name="redo" />
      </button>
      <button
        type="button"
        className="btn"
        disabled={!edited}
        onClick={props.onReset}
      >
        Reset to the model
      </button>
      <button
        type="button"
        className="btn quiet icon"
        aria-label="Close"
        onClick={props.onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

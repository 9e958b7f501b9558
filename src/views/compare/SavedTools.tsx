/** Actions for the selected runs; an unavailable action says why. */
import type { ReactNode } from "react";
import { count } from "../../model/shared/format";
import type { SavedRow } from "../../model/compare/savedTable";
import { Icon } from "../shared/Icon";

export interface SavedToolsProps {
  /** The selected runs. */
  readonly rows: readonly SavedRow[];
  /** Ids of the selected runs, in the order of selection. */
  readonly picked: readonly string[];
  readonly baseline: string | undefined;
  readonly onBaseline: (id: string | undefined) => void;
  /** Clears the selection. */
  readonly onNone: () => void;
  readonly onOpen: (id: string) => void;
  readonly onCompare: (left: string, right: string) => void;
  readonly onRename: (id: string) => void;
  /** Resolves to false if the runs could not be deleted. */
  readonly onDelete: (ids: readonly string[]) => Promise<boolean>;
}

export function SavedTools(props: SavedToolsProps) {
  const { rows, picked, baseline, onBaseline, onNone } = props;
  const [first = "", second = ""] = picked;
  const traces = new Set(rows.map(({ run }) => run.trace.hash));
  const notOne = picked.length === 1 ? undefined : "Select one run";
  const notTwo =
    picked.length !== 2
      ? "Select two runs of one trace"
      : traces.size > 1
        ? "These are different traces: select two runs of one trace"
        : undefined;
  const isBaseline = first !== "" && first === baseline;
  return (
    <div className="saved-tools" role="group" aria-label="Selected runs">
      <span className="t2">
        {picked.length === 0
          ? "None selected"
          : `${count(picked.length)} selected`}
      </span>
      <Tool not={notOne} onClick={() => props.onOpen(first)}>
        Open
      </Tool>
      <Tool not={notTwo} onClick={() => props.onCompare(first, second)}>
        Compare
      </Tool>
      <Tool
        not={notOne}
        onClick={() => onBaseline(isBaseline ? undefined : first)}
      >
        {isBaseline ? "No baseline" : "Baseline"}
      </Tool>
      <Tool not={notOne} onClick={() => props.onRename(first)}>
        <Icon name="edit" /> Name and note
      </Tool>
      <Tool
        not={picked.length > 0 ? undefined : "Select runs"}
        onClick={() => {
          void props.onDelete(picked).then((isDone) => {
            if (isDone) onNone();
          });
        }}
      >
        <Icon name="trash" /> Delete
      </Tool>
    </div>
  );
}

interface ToolProps {
  /** Why the action is unavailable; `undefined` if it is available. */
  readonly not: string | undefined;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Tool({ not, onClick, children }: ToolProps) {
  return (
    <button
      type="button"
      className="btn"
      aria-disabled={not !== undefined}
      title={not}
      onClick={() => {
        if (not === undefined) onClick();
      }}
    >
      {children}
    </button>
  );
}

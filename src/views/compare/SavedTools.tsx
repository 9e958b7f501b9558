/** What can be done with the runs that are chosen; what cannot says why. */
import type { ReactNode } from "react";
import { count } from "../../model/shared/format";
import type { SavedRow } from "../../model/compare/savedTable";
import { Icon } from "../shared/Icon";

export interface SavedToolsProps {
  /** The runs that are chosen. */
  readonly rows: readonly SavedRow[];
  /** Their ids, in the order in which they were chosen. */
  readonly picked: readonly string[];
  readonly baseline: string | undefined;
  readonly onBaseline: (id: string | undefined) => void;
  /** Chooses none. */
  readonly onNone: () => void;
  readonly onOpen: (id: string) => void;
  readonly onCompare: (left: string, right: string) => void;
  readonly onRename: (id: string) => void;
  /** False if they could not be deleted. */
  readonly onDelete: (ids: readonly string[]) => Promise<boolean>;
}

export function SavedTools(props: SavedToolsProps) {
  const { rows, picked, baseline, onBaseline, onNone } = props;
  const [first = "", second = ""] = picked;
  const traces = new Set(rows.map(({ run }) => run.trace.hash));
  const notOne = picked.length === 1 ? undefined : "Choose one run";
  const notTwo =
    picked.length !== 2
      ? "Choose two runs of one trace"
      : traces.size > 1
        ? "They are of different traces: choose two of one"
        : undefined;
  const isBaseline = first !== "" && first === baseline;
  return (
    <div className="saved-tools" role="group" aria-label="With those chosen">
      <span className="t2">
        {picked.length === 0 ? "None chosen" : `${count(picked.length)} chosen`}
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
        not={picked.length > 0 ? undefined : "Choose runs"}
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
  /** Why it cannot be done. */
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

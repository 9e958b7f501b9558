/** The runs saved in this browser: select, compare, open. */
import { useEffect, useMemo, useState } from "react";
import { savedRows } from "../../model/compare/savedTable";
import { runToSave } from "../../state/compare/runToSave";
import { SavedPage } from "../../views/compare/SavedPage";
import { useActions, useApp } from "../context";
import { RenameDialog } from "./RunDialog";

export interface SavedRunsProps {
  /** Asks for a name and saves the current run. */
  readonly onSave: () => void;
}

export function SavedRuns({ onSave }: SavedRunsProps) {
  const { runs, problem, deleted } = useApp((state) => state.saved);
  const cpus = useApp((state) => state.cpus);
  const canSave = useApp((state) => runToSave(state) !== undefined);
  const actions = useActions();
  const { loadRuns } = actions;
  const [renamed, setRenamed] = useState<string>();
  useEffect(() => void loadRuns(), [loadRuns]);
  const { rows, unreadable } = useMemo(
    () => (runs ? savedRows(cpus, runs) : { rows: undefined, unreadable: [] }),
    [cpus, runs],
  );
  const run = runs?.find(({ id }) => id === renamed);
  return (
    <>
      <SavedPage
        rows={rows}
        unreadable={unreadable}
        problem={problem}
        deleted={deleted.length}
        canSave={canSave}
        onSave={onSave}
        onOpen={(id) => void actions.openRun(id)}
        onCompare={(left, right) => void actions.compareRuns(left, right)}
        onRename={setRenamed}
        onDelete={actions.deleteRuns}
        onPutBack={() => void actions.putBackRuns()}
      />
      {run ? (
        <RenameDialog run={run} onClose={() => setRenamed(undefined)} />
      ) : null}
    </>
  );
}

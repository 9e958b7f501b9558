import { useEffect } from "react";
import { SavedMachines } from "../../views/config/SavedMachines";
import { useActions, useApp } from "../context";
import { Modal } from "../shared/Modal";

const NONE: readonly never[] = [];

/** The machines of this browser; choosing one closes the dialog. */
export function MachinesDialog({ onClose }: { readonly onClose: () => void }) {
  const { list, problem, deleted } = useApp((state) => state.machines);
  const current = useApp(
    ({ configuration }) => configuration?.setup.machine.name,
  );
  const { loadMachines, chooseMachine, ...actions } = useActions();
  useEffect(() => void loadMachines(), [loadMachines]);
  return (
    <Modal title="My machines" onClose={onClose}>
      <SavedMachines
        machines={list ?? NONE}
        problem={problem}
        deleted={deleted}
        current={current ?? "My machine"}
        onSave={actions.saveMachine}
        onChoose={(id) => {
          onClose();
          void chooseMachine(id);
        }}
        onRename={actions.renameMachine}
        onDelete={actions.deleteMachine}
        onPutBack={actions.putBackMachine}
        onImport={actions.importMachine}
      />
    </Modal>
  );
}

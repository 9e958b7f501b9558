import { BUILT_IN_TRACES, builtInTrace } from "../state/traces";
import { ImportForm } from "../views/import/ImportForm";
import { useActions } from "./context";
import { Modal } from "./Modal";

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { importFile, openBuiltIn } = useActions();
  return (
    <Modal title="Import a trace" wide onClose={onClose}>
      <ImportForm
        shipped={BUILT_IN_TRACES}
        onImport={(source) => {
          onClose();
          void importFile(source);
        }}
        onOpen={(id) => {
          const trace = builtInTrace(id);
          onClose();
          if (trace) void openBuiltIn(trace);
        }}
      />
    </Modal>
  );
}

/** Imports a file, lists the kept traces, and saves the open one. */
import { useEffect } from "react";
import { BUILT_IN_TRACES, builtInTrace } from "../../state/import/traces";
import { TRACES_ABOUT } from "../../state/import/tracesAbout";
import { DraftView } from "../../views/import/DraftView";
import { ImportForm } from "../../views/import/ImportForm";
import { ImportProgress } from "../../views/import/ImportProgress";
import { KeptList } from "../../views/import/KeptList";
import { useActions, useApp } from "../context";
import { ExportSection } from "./ExportSection";
import { Modal } from "../shared/Modal";
import { useIsOpen } from "../shared/useIsOpen";

const SHIPPED = BUILT_IN_TRACES.map((trace) => ({
  ...trace,
  about: TRACES_ABOUT[trace.id],
}));

export interface ImportDialogProps {
  readonly onClose: () => void;
  /** Opens the dialog that generates a trace. */
  readonly onGenerate: () => void;
}

/** Stays open until a file is read, so that the user can fix errors here. */
export function ImportDialog({ onClose, onGenerate }: ImportDialogProps) {
  const actions = useActions();
  const draft = useApp((state) => state.draft);
  const importing = useApp((state) => state.importing);
  const isOpen = useIsOpen();
  return (
    <Modal title={draft?.name ?? "Import a trace"} full onClose={onClose}>
      <div className="import-dialog-state" aria-live="polite">
        {importing ? (
          <ImportProgress {...importing} onCancel={actions.cancelImport} />
        ) : null}
      </div>
      {draft ? (
        <DraftView
          {...draft}
          peek={draft.peek}
          size={draft.file.size}
          isBusy={importing !== undefined}
          onReading={(part) => void actions.readAs(part)}
          onTake={(part) => void actions.take(part)}
          onBack={actions.dropDraft}
          onImport={() =>
            void actions.importDraft(() => {
              if (isOpen()) onClose();
            })
          }
        />
      ) : (
        <ImportForm
          shipped={SHIPPED}
          onSource={(source) =>
            void actions.lookAt(source, () => {
              if (isOpen()) onClose();
            })
          }
          onGenerate={onGenerate}
          onOpen={(id) => {
            const trace = builtInTrace(id);
            onClose();
            if (trace) void actions.openBuiltIn(trace);
          }}
          kept={<KeptSection onClose={onClose} />}
          save={<ExportSection />}
        />
      )}
    </Modal>
  );
}

function KeptSection({ onClose }: { readonly onClose: () => void }) {
  const { loadKept, openKept, deleteKept, putBack, deleteAllKept } =
    useActions();
  const kept = useApp((state) => state.kept);
  const problem = useApp((state) => state.keptProblem);
  const deleted = useApp((state) => state.deleted);
  const open = useApp((state) => state.hash);
  useEffect(() => void loadKept(), [loadKept]);
  return (
    <KeptList
      kept={kept}
      problem={problem}
      deleted={deleted}
      open={open}
      onOpen={(hash) => {
        onClose();
        void openKept(hash);
      }}
      onDelete={(hash) => void deleteKept(hash)}
      onPutBack={() => void putBack()}
      onDeleteAll={() => void deleteAllKept()}
    />
  );
}

import { useState } from "react";
import { webWords } from "../model/traceText";
import { placed } from "../state/notices";
import { BUILT_IN_TRACES, builtInTrace } from "../state/traces";
import { ImportForm } from "../views/import/ImportForm";
import type { Source } from "../views/import/ImportForm";
import { ImportProgress } from "../views/import/ImportProgress";
import { Sentence } from "../views/import/Sentence";
import { useActions, useApp } from "./context";
import { Modal } from "./Modal";
import { useIsOpen } from "./useIsOpen";

export interface ImportDialogProps {
  /** Text that was pasted onto the page. */
  readonly pasted: string;
  readonly onClose: () => void;
  /** To the dialog that generates a trace instead. */
  readonly onGenerate: () => void;
}

/** Stays open until a file is read, so that what is wrong with one can be put right here. */
export function ImportDialog(props: ImportDialogProps) {
  const { pasted, onClose, onGenerate } = props;
  const { importFile, cancelImport, openBuiltIn } = useActions();
  const importing = useApp((state) => state.importing);
  const [problem, setProblem] = useState<string | null>(null);
  const isOpen = useIsOpen();

  const give = (source: Source) => {
    setProblem(null);
    void importFile({
      ...source,
      onRead: () => {
        if (isOpen()) onClose();
      },
      onRefused: ({ message, at }) => {
        if (!isOpen()) return false;
        setProblem(webWords(`${source.name}: ${placed(message, at)}`));
        return true;
      },
    });
  };
  return (
    <Modal title="Import a trace" wide onClose={onClose}>
      <div className="import-dialog-state" aria-live="polite">
        {importing ? (
          <ImportProgress {...importing} onCancel={cancelImport} />
        ) : null}
        {problem === null ? null : (
          <p className="problem" role="alert" data-testid="import-problem">
            <Sentence text={problem} />
          </p>
        )}
      </div>
      <ImportForm
        shipped={BUILT_IN_TRACES}
        pasted={pasted}
        onImport={give}
        onGenerate={onGenerate}
        onOpen={(id) => {
          const trace = builtInTrace(id);
          onClose();
          if (trace) void openBuiltIn(trace);
        }}
      />
    </Modal>
  );
}

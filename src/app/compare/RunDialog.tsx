/** Names a run that is saved now, or renames a saved one. */
import { useId, useState } from "react";
import type { SubmitEvent } from "react";
import type { SavedRun } from "../../model/compare/savedRun";
import { sideText } from "../../model/compare/sides";
import { runToSave } from "../../state/compare/runToSave";
import type { RunWords } from "../../state/compare/savedActions";
import { useActions, useApp, useAppStore } from "../context";
import { Modal } from "../shared/Modal";

export function SaveRunDialog({ onClose }: { readonly onClose: () => void }) {
  const store = useAppStore();
  const cpus = useApp((state) => state.cpus);
  const trace = useApp((state) => state.trace?.name ?? "");
  const { saveRun } = useActions();
  const [run] = useState(() => runToSave(store.getState()));
  if (!run)
    return (
      <Modal title="Save the run" onClose={onClose}>
        <p>The run has not finished yet.</p>
      </Modal>
    );
  return (
    <RunForm
      title="Save the run"
      about={`Of “${trace}”. It is stored in this browser with its machine and counts; find it under Compare.`}
      words={{ name: sideText(cpus, run.configuration), note: "" }}
      onSave={saveRun}
      onClose={onClose}
    />
  );
}

export interface RenameDialogProps {
  readonly run: SavedRun;
  readonly onClose: () => void;
}

export function RenameDialog({ run, onClose }: RenameDialogProps) {
  const { renameRun } = useActions();
  return (
    <RunForm
      title="Name and note"
      about={`A run of “${run.trace.name}”.`}
      words={run}
      onSave={(words) => renameRun(run.id, words)}
      onClose={onClose}
    />
  );
}

interface RunFormProps {
  readonly title: string;
  readonly about: string;
  /** The initial texts of the fields. */
  readonly words: RunWords;
  /** Resolves with the reason if saving fails. */
  readonly onSave: (words: RunWords) => Promise<string | undefined>;
  readonly onClose: () => void;
}

const MOST = { name: 120, note: 1000 } as const;

function RunForm({ title, about, words, onSave, onClose }: RunFormProps) {
  const id = useId();
  const [name, setName] = useState(words.name);
  const [note, setNote] = useState(words.note);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    const short = name.trim() === "" ? words.name : name.trim();
    const why = await onSave({ name: short, note: note.trim() });
    setIsSaving(false);
    if (why === undefined) onClose();
    else setProblem(why);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isSaving) void save();
  };
  return (
    <Modal title={title} onClose={onClose}>
      <p className="t2">{about}</p>
      <form className="run-form" onSubmit={submit}>
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          className="field"
          // The purpose of the dialog is to name the run.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          autoComplete="off"
          maxLength={MOST.name}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <label htmlFor={`${id}-note`}>Note</label>
        <textarea
          id={`${id}-note`}
          className="field"
          rows={3}
          maxLength={MOST.note}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        {problem === undefined ? null : (
          <p className="problem" role="alert">
            Not saved: {problem}
          </p>
        )}
        <button type="submit" className="btn primary" aria-disabled={isSaving}>
          Save
        </button>
      </form>
    </Modal>
  );
}

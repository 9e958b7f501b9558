/** The machines that this browser keeps: save the shown one, choose, rename, delete, and files. */
import { useId, useRef, useState } from "react";
import type { SubmitEvent } from "react";
import { MOST_NAME, writeMachine } from "../../model/config/savedMachine";
import type { SavedMachine } from "../../model/config/savedMachine";
import { fileName } from "../../model/shared/csv";
import { Download } from "../shared/Download";
import { Icon } from "../shared/Icon";
import "./savedMachines.css";

/** Resolves with the reason if it fails. */
type Outcome = Promise<string | undefined>;

export interface SavedMachinesProps {
  readonly machines: readonly SavedMachine[];
  /** Why this browser cannot save machines, if so. */
  readonly problem: string | undefined;
  readonly deleted: SavedMachine | undefined;
  /** The name of the shown machine. */
  readonly current: string;
  readonly onSave: (name: string) => Outcome;
  readonly onChoose: (id: string) => void;
  readonly onRename: (id: string, name: string) => Outcome;
  readonly onDelete: (id: string) => Outcome;
  readonly onPutBack: () => Outcome;
  readonly onImport: (file: File) => Outcome;
}

export function SavedMachines(props: SavedMachinesProps) {
  const { machines, problem, deleted, current } = props;
  const { onSave, onPutBack, onImport } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(current);
  const [why, setWhy] = useState<string>();
  const attempt = async (outcome: Outcome) => setWhy(await outcome);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void attempt(onSave(name.trim() === "" ? current : name.trim()));
  };
  const told = problem ?? why;
  return (
    <div className="machines">
      <form className="machines-form" onSubmit={submit}>
        <label htmlFor={`${id}-name`}>Name of the shown machine</label>
        <input
          id={`${id}-name`}
          className="field"
          autoComplete="off"
          maxLength={MOST_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="btn primary">
          Save this machine
        </button>
      </form>
      {told === undefined ? null : (
        <p className="problem" role="alert">
          {told}
        </p>
      )}
      {machines.length === 0 ? (
        <p className="t2">
          No machines are saved yet. A saved machine keeps its memory mapping,
          and is listed among the CPUs under “Mine”.
        </p>
      ) : (
        <ul className="machines-list" aria-label="Saved machines">
          {machines.map((machine) => (
            <Saved
              key={machine.id}
              machine={machine}
              attempt={(outcome) => void attempt(outcome)}
              {...props}
            />
          ))}
        </ul>
      )}
      <div className="machines-more">
        <button
          type="button"
          className="btn"
          onClick={() => input.current?.click()}
        >
          <Icon name="open" /> Import a machine…
        </button>
        {deleted ? (
          <button
            type="button"
            className="btn"
            onClick={() => void attempt(onPutBack())}
          >
            <Icon name="undo" /> Put “{deleted.name}” back
          </button>
        ) : null}
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          hidden
          data-testid="machine-file"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) void attempt(onImport(file));
            event.target.value = "";
          }}
        />
      </div>
    </div>
  );
}

interface SavedProps extends Pick<
  SavedMachinesProps,
  "onChoose" | "onRename" | "onDelete"
> {
  readonly machine: SavedMachine;
  readonly attempt: (outcome: Outcome) => void;
}

function Saved({ machine, attempt, ...props }: SavedProps) {
  const { id, name } = machine;
  const [typed, setTyped] = useState<string>();
  const rename = (event: SubmitEvent) => {
    event.preventDefault();
    const next = typed?.trim();
    setTyped(undefined);
    if (next && next !== name) attempt(props.onRename(id, next));
  };
  return (
    <li>
      {typed === undefined ? (
        <button
          type="button"
          className="btn machines-name"
          onClick={() => props.onChoose(id)}
        >
          {name}
        </button>
      ) : (
        <form className="machines-rename" onSubmit={rename}>
          <input
            className="field"
            aria-label={`New name of “${name}”`}
            // The user has just asked to rename it.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            maxLength={MOST_NAME}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <button type="submit" className="btn">
            Rename
          </button>
        </form>
      )}
      <button
        type="button"
        className="btn quiet icon"
        aria-label={`Rename “${name}”`}
        title="Rename"
        onClick={() => setTyped(typed === undefined ? name : undefined)}
      >
        <Icon name="edit" />
      </button>
      <Download
        label="JSON"
        what={name}
        file={`${fileName(name)}.json`}
        make={() =>
          new Blob([writeMachine(machine)], { type: "application/json" })
        }
      />
      <button
        type="button"
        className="btn quiet icon"
        aria-label={`Delete “${name}”`}
        title="Delete"
        onClick={() => attempt(props.onDelete(id))}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
}

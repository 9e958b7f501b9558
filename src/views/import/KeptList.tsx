/** The imported traces that the browser keeps. */
import { useState } from "react";
import type { KeptTrace } from "../../model/import/keptTrace";
import { counted, fileSize } from "../../model/shared/format";
import { toolName } from "../../model/import/formats";
import { completenessWord } from "../../model/import/traceText";
import { Icon } from "../shared/Icon";

export interface KeptListProps {
  /** Newest first; `undefined` until the kept traces are known. */
  readonly kept: readonly KeptTrace[] | undefined;
  /** Why this browser cannot keep traces. */
  readonly problem?: string | undefined;
  /** The id of the open trace. */
  readonly open?: string | undefined;
  /** The trace that was deleted last and can be restored. */
  readonly deleted?: KeptTrace | undefined;
  readonly onOpen: (hash: string) => void;
  readonly onDelete: (hash: string) => void;
  readonly onPutBack: () => void;
  readonly onDeleteAll: () => void;
}

export function KeptList(props: KeptListProps) {
  const { kept, problem, open, deleted } = props;
  const bytes = (kept ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
  const n = kept?.length ?? 0;
  return (
    <section data-testid="kept-list">
      <div className="draft-head">
        <h3>Kept in this browser</h3>
        {n > 0 ? (
          <span className="t2 small">
            {counted(n, "trace")}, {fileSize(bytes)}
          </span>
        ) : null}
      </div>
      {problem === undefined ? null : <p className="problem">{problem}</p>}
      <div role="status">
        {deleted ? (
          <p className="kept-deleted">
            <span>
              <span className="mono">{deleted.name}</span> was deleted.
            </span>
            <button type="button" className="btn" onClick={props.onPutBack}>
              <Icon name="undo" /> Undo
            </button>
          </p>
        ) : null}
      </div>
      {n === 0 && problem === undefined && kept ? (
        <p className="t2">
          No traces yet. Imported traces are kept here until you delete them, so
          that links can open them again.
        </p>
      ) : null}
      <ul className="kept-items">
        {(kept ?? []).map((item) => (
          <Kept
            key={item.hash}
            item={item}
            isOpen={item.hash === open}
            onOpen={() => props.onOpen(item.hash)}
            onDelete={() => props.onDelete(item.hash)}
          />
        ))}
      </ul>
      {n > 1 ? (
        <DeleteAll n={n} bytes={bytes} onDelete={props.onDeleteAll} />
      ) : null}
    </section>
  );
}

interface KeptProps {
  readonly item: KeptTrace;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onDelete: () => void;
}

function Kept({ item, isOpen, onOpen, onDelete }: KeptProps) {
  const { name, format, completeness, part, accesses, bytes, date } = item;
  return (
    <li className="kept-item" aria-current={isOpen || undefined}>
      <div className="kept-text">
        <span className="mono kept-name">{name}</span>
        <span className="t2 small">
          {toolName(format)} · {completenessWord(completeness, format, part)} ·{" "}
          {counted(accesses, "access", "accesses")} · {fileSize(bytes)} ·{" "}
          {when(date)}
        </span>
      </div>
      <button
        type="button"
        className="btn"
        aria-label={`Open ${name}`}
        disabled={isOpen}
        onClick={onOpen}
      >
        {isOpen ? "open" : "Open"}
      </button>
      <button
        type="button"
        className="btn quiet icon"
        aria-label={`Delete ${name}`}
        title="Delete"
        onClick={onDelete}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
}

function when(date: number): string {
  return new Date(date).toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}

interface DeleteAllProps {
  readonly n: number;
  readonly bytes: number;
  readonly onDelete: () => void;
}

/** Asks before deleting everything, since it cannot be undone. */
function DeleteAll({ n, bytes, onDelete }: DeleteAllProps) {
  const [asks, setAsks] = useState(false);
  if (!asks)
    return (
      <button type="button" className="btn" onClick={() => setAsks(true)}>
        Delete all…
      </button>
    );
  return (
    <p className="kept-deleted" role="alert">
      <span>
        Delete {counted(n, "trace")}, {fileSize(bytes)}? This cannot be undone.
      </span>
      <button
        type="button"
        className="btn primary"
        onClick={() => {
          setAsks(false);
          onDelete();
        }}
      >
        Delete all
      </button>
      <button type="button" className="btn" onClick={() => setAsks(false)}>
        Keep them
      </button>
    </p>
  );
}

/** Asks before the trace of a link is fetched: where it is, and how large. */
import { fileSize } from "../../model/shared/format";
import { ProgressBar } from "../../views/shared/Progress";
import { useActions, useApp } from "../context";
import { Modal } from "../shared/Modal";
import "./remote.css";

export function RemoteDialog() {
  const remote = useApp((state) => state.remote);
  const { fetchRemote, closeRemote } = useActions();
  if (!remote) return null;
  const { address, host, isOwn, size, done, problem } = remote;
  const [before = "", ...after] = address.split(host);
  const isFetching = done !== undefined && problem === undefined;
  return (
    <Modal title="Fetch the trace of the link?" onClose={closeRemote}>
      <p className="remote-address mono">
        {before}
        <b>{host}</b>
        {after.join(host)}
      </p>
      <p>
        {sizeText(size)}
        {isOwn
          ? " It belongs to this site."
          : ` ${host} is another site: it will see your network address. Fetch only from a site that you trust.`}
      </p>
      {problem === undefined ? null : (
        <p className="problem" role="alert">
          The trace cannot be fetched: {problem}
        </p>
      )}
      {isFetching ? (
        <>
          <ProgressBar
            label={`Fetching from ${host}`}
            done={done}
            total={size ?? undefined}
          />
          <p className="t2 small">{fileSize(done)} so far</p>
        </>
      ) : null}
      <p className="remote-buttons">
        <button
          type="button"
          className="btn primary"
          disabled={isFetching}
          onClick={() => void fetchRemote()}
        >
          {problem === undefined ? `Fetch from ${host}` : "Try again"}
        </button>
        <button type="button" className="btn" onClick={closeRemote}>
          {isFetching ? "Cancel" : "Do not fetch"}
        </button>
      </p>
    </Modal>
  );
}

function sizeText(size: number | null | undefined): string {
  if (size === null) return "Asking for the size …";
  return size === undefined ? "Size unknown." : `${fileSize(size)}.`;
}

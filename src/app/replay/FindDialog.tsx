import { useEffect, useState } from "react";
import type { SubmitEvent } from "react";
import { count } from "../../model/shared/format";
import { useActions, useApp } from "../context";
import { focusPart } from "../frame/skip";
import { readSearch } from "./readSearch";
import { Modal } from "../shared/Modal";

/**
 * Moves to an access by its number, or to the next access at an address or to its page. It also opens a new trace that loads
 * the typed address.
 */
export function FindDialog({ onClose }: { readonly onClose: () => void }) {
  const nAccesses = useApp((state) => state.trace?.n_accesses ?? 0);
  const { findAddress, goTo, importFile, pause } = useActions();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => returnToPicture, []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const search = readSearch(text, nAccesses);
    if ("problem" in search) {
      setProblem(search.problem);
      return;
    }
    pause();
    if ("access" in search) {
      onClose();
      void goTo(search.access);
    } else void look(search.address);
  };
  /** The dialog stays open with the typed text if nothing was found. */
  const look = async (address: string) => {
    if (await findAddress(address)) onClose();
    else
      setProblem(
        `No access is to the page of ${address}, or to page number ${address}.`,
      );
  };
  const search = readSearch(text, nAccesses);
  const load = (address: string) => {
    onClose();
    void importFile({
      file: new Blob([`kind,address,size\nload,${address},1\n`]),
      name: `load ${address}`,
    });
  };
  return (
    <Modal title="Go to an access or an address" onClose={onClose}>
      <form className="find" onSubmit={submit}>
        <label>
          <span className="t2 small">
            An access, 0 to {count(Math.max(0, nAccesses - 1))}, or an address
            such as 0x7f3a1c2b5e48
          </span>
          <input
            className="field mono"
            // The purpose of the dialog is to type here.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            spellCheck={false}
            autoComplete="off"
            value={text}
            aria-invalid={problem !== null}
            aria-describedby={problem === null ? undefined : "find-problem"}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(null);
            }}
          />
        </label>
        <button type="submit" className="btn primary">
          Go
        </button>
      </form>
      <p className="find-load">
        <span className="t2 small">
          No access of the trace touches the address that you mean?
        </span>
        <button
          type="button"
          className="btn"
          aria-disabled={!("address" in search)}
          onClick={() => {
            if ("address" in search) load(search.address);
            else setProblem("Type an address with 0x, such as 0x7f3a1c2b5e48.");
          }}
        >
          Open a trace that loads it
        </button>
      </p>
      {problem === null ? null : (
        <p id="find-problem" className="problem" role="alert">
          {problem}
        </p>
      )}
    </Modal>
  );
}

/**
 * A key opened the dialog and no element had the focus: the pictures of the found access take it, and arrows go on from there. The dialog
 * returns the focus to its opener one frame after it closes.
 */
function returnToPicture(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusPart("pictures");
    }),
  );
}

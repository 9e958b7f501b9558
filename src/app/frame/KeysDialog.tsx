import { encodePermalink } from "../../model/permalink/permalink";
import { VERSION } from "../../model/shared/version";
import { Modal } from "../shared/Modal";
import { CopyDiagnostics } from "./CopyDiagnostics";
import { KEYS } from "./keys";

export interface KeysDialogProps {
  readonly onClose: () => void;
  readonly onCite: () => void;
}

export function KeysDialog({ onClose, onCite }: KeysDialogProps) {
  return (
    <Modal title="Keys" onClose={onClose}>
      <table className="keys">
        <tbody>
          {KEYS.map(({ keys, does }) => (
            <tr key={does}>
              <th scope="row">
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="t2 small">
        In a picture, the arrows move, Enter selects, Escape leaves.
      </p>
      <p className="t2 small">
        The words of this page are in the{" "}
        <a
          href={`#${encodePermalink({ screen: "glossary" })}`}
          onClick={onClose}
        >
          glossary
        </a>
        .
      </p>
      <p className="t2 small">
        This is version {VERSION}. <CopyDiagnostics />{" "}
        <button type="button" className="btn" onClick={onCite}>
          Cite
        </button>
      </p>
      <p className="t2 small">
        Pagewalk contains <a href="THIRD-PARTY.txt">open-source software</a>.
      </p>
    </Modal>
  );
}

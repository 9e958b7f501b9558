/** The link, the BibTeX entry and the command of what is on the screen. */
import {
  bibtex,
  experimentCommand,
  runCommand,
} from "../../model/permalink/cite";
import { replayLink } from "../../state/selectors";
import { CommandLine } from "../../views/shared/CommandLine";
import { addressOf } from "../browser/address";
import { useAppStore } from "../context";
import { Modal } from "../shared/Modal";

export function CiteDialog({ onClose }: { readonly onClose: () => void }) {
  const state = useAppStore().getState();
  const address = addressOf(state);
  const setup = state.configuration?.setup;
  const command =
    state.screen === "experiments"
      ? experimentCommand(state.experiment)
      : setup && runCommand(replayLink(state), setup);
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Modal title="Cite" onClose={onClose} wide>
      <h3>Link</h3>
      <CommandLine text={address} what="this result" of="link" />
      <h3>BibTeX</h3>
      <CommandLine text={bibtex(address, today)} what="Pagewalk" of="entry" />
      {command === undefined ? null : (
        <>
          <h3>Command</h3>
          <p className="t2 small">
            In bash or zsh, this prints the numbers as JSON. Its object “about”
            names the version, and what was simulated.
          </p>
          <CommandLine text={command} what="this run" />
        </>
      )}
    </Modal>
  );
}

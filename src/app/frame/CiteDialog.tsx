/** The link, the BibTeX entry and the commands of what is on the screen. */
import {
  bibtex,
  experimentCommand,
  fileToBring,
  runCommand,
} from "../../model/permalink/cite";
import { rightOf } from "../../state/compare/right";
import { replayLink } from "../../state/selectors";
import type { AppState } from "../../state/store";
import { CommandLine } from "../../views/shared/CommandLine";
import { addressOf } from "../browser/address";
import { useAppStore } from "../context";
import { Modal } from "../shared/Modal";

export function CiteDialog({ onClose }: { readonly onClose: () => void }) {
  const state = useAppStore().getState();
  const address = addressOf(state);
  const commands = commandsOf(state, document.baseURI);
  const file =
    state.screen === "experiments" ? undefined : fileToBring(replayLink(state));
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Modal title="Cite" onClose={onClose} wide>
      <h3>Link</h3>
      <CommandLine text={address} what="this result" of="link" />
      <h3>BibTeX</h3>
      <CommandLine text={bibtex(address, today)} what="Pagewalk" of="entry" />
      {commands.map(({ title, text }, at) => (
        <section key={title}>
          <h3>{title}</h3>
          {at > 0 ? null : (
            <p className="t2 small">
              In bash or zsh, this prints the numbers as JSON. Its object
              “about” names the version, and what was simulated.
            </p>
          )}
          {at > 0 || file === undefined ? null : (
            <p className="t2 small">
              The trace is your own: put the file <code>{file}</code> into the
              folder first. If you imported only a part of it, save the trace as
              CSV under that name.
            </p>
          )}
          <CommandLine text={text} what={title.toLowerCase()} />
        </section>
      ))}
    </Modal>
  );
}

interface TitledCommand {
  readonly title: string;
  readonly text: string;
}

/** Returns the commands of the screen: two on Compare, one elsewhere. Saved runs have their own traces and no command. */
function commandsOf(state: AppState, site: string): readonly TitledCommand[] {
  const { screen, experiment, compare, configuration, cpus } = state;
  if (screen === "experiments")
    return [{ title: "Command", text: experimentCommand(experiment) }];
  const isPair = screen === "compare" && compare.part === "pair";
  if (screen === "compare" && compare.part === "saved") return [];
  const sides = isPair
    ? ([
        ["Command for the left machine", configuration, ""],
        ["Command for the right machine", rightOf(state), "-right"],
      ] as const)
    : ([["Command", configuration, ""]] as const);
  return sides.flatMap(([title, side, suffix]) => {
    const text =
      side && runCommand(replayLink(state), cpus, side, site, suffix);
    return text === undefined ? [] : [{ title, text }];
  });
}

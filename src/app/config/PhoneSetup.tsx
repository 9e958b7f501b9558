import { isEdited } from "../../state/selectors";
import { Icon } from "../../views/shared/Icon";
import { useApp } from "../context";
import type { Dialog } from "../frame/useKeys";
import type { EditorTab } from "./editorTab";
import { SetupOpener } from "./SetupOpener";
import { setupText } from "./setupText";
import { ShareButton } from "../frame/ShareButton";

/** The dialogs that the header opens. */
export interface SetupProps {
  readonly onDialog: (dialog: Dialog) => void;
  readonly onEdit: (tab: EditorTab) => void;
  readonly onTotals: () => void;
}

/** The button "Skylake-SP · 4K" shows the simulated machine, and opens everything that changes it. */
export function PhoneSetup({ onDialog, onEdit, onTotals }: SetupProps) {
  const configuration = useApp((state) => state.configuration);
  const edited = useApp(isEdited);
  if (!configuration) return null;
  const text = setupText(configuration.setup, edited);
  return (
    <SetupOpener
      text={text}
      className="picker picker-tall"
      onEdit={onEdit}
      onDialog={onDialog}
    >
      {(close) => (
        <>
          <button
            type="button"
            className="btn"
            onClick={() => {
              close();
              onEdit("machine");
            }}
          >
            <Icon name="edit" /> Edit the machine
          </button>
          <button
            type="button"
            className="btn"
            onClick={() => {
              close();
              onDialog("import");
            }}
          >
            <Icon name="open" /> Import or generate a trace
          </button>
          <button
            type="button"
            className="btn"
            onClick={() => {
              close();
              onTotals();
            }}
          >
            <Icon name="menu" /> Totals of the run
          </button>
          <button
            type="button"
            className="btn"
            onClick={() => {
              close();
              onDialog("save");
            }}
          >
            <Icon name="plus" /> Save the run
          </button>
          <ShareButton hasIcon />
        </>
      )}
    </SetupOpener>
  );
}

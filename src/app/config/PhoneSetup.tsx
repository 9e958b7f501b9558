import { isEdited } from "../../state/selectors";
import { Icon } from "../../views/shared/Icon";
import { useApp } from "../context";
import type { Dialog } from "../frame/useKeys";
import type { EditorTab } from "./editorTab";
import { SetupOpener } from "./SetupOpener";
import { setupText } from "./setupText";
import { ShareButton } from "../frame/ShareButton";
import { useIsPhone } from "../shared/useMedia";

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
  const isPhone = useIsPhone();
  if (!configuration) return null;
  const text = setupText(configuration.setup, edited);
  const items = [
    { icon: "edit", text: "Edit the machine", act: () => onEdit("machine") },
    {
      icon: "open",
      text: "Import or generate a trace",
      act: () => onDialog("import"),
    },
    { icon: "menu", text: "Totals of the run", act: onTotals },
    { icon: "plus", text: "Save the run", act: () => onDialog("save") },
  ] as const;
  return (
    <SetupOpener
      text={text}
      className="picker picker-tall"
      onEdit={onEdit}
      onDialog={onDialog}
    >
      {(close) => (
        <>
          {items.map(({ icon, text, act }) => (
            <button
              key={icon}
              type="button"
              className="btn"
              onClick={() => {
                close();
                act();
              }}
            >
              <Icon name={icon} /> {text}
            </button>
          ))}
          {/* A phone has it in the menu of screens. */}
          {isPhone ? null : <ShareButton hasIcon />}
        </>
      )}
    </SetupOpener>
  );
}

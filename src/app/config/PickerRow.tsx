/**
 * The pickers in the row of the header. Without space for all of it, the row leaves out labels first, then uses
 * short words, and at last becomes one button that opens the pickers.
 */
import { useRef } from "react";
import { isEdited } from "../../state/selectors";
import { Icon } from "../../views/shared/Icon";
import { FloatingDialog, Opener } from "../../views/shared/opener/Opener";
import { useFit } from "../../views/shared/useFit";
import { useApp } from "../context";
import type { EditorTab } from "./editorTab";
import { Pickers } from "./Pickers";
import { setupText } from "./setupText";

/** What the row leaves out, the highest rank first. */
const PARTS = [
  { id: "labels", rank: 4 },
  { id: "cores-label", rank: 3 },
  { id: "long-words", rank: 2 },
  { id: "separate", rank: 1 },
];

export function PickerRow({
  onEdit,
  onDialog,
}: {
  readonly onEdit: (tab: EditorTab) => void;
  readonly onDialog: (dialog: "machines") => void;
}) {
  const configuration = useApp((state) => state.configuration);
  const trace = useApp((state) => state.trace?.name);
  const edited = useApp(isEdited);
  const row = useRef<HTMLDivElement>(null);
  const text = configuration ? setupText(configuration.setup, edited) : "";
  const caches = configuration?.setup.machine.memory.caches.length;
  // Other words need another space.
  const words = { id: [text, caches, trace].join() };
  const gone = useFit(row, [...PARTS, words]);
  const isOne = gone.has("separate");
  return (
    <div ref={row} className="pickers" data-without={[...gone].join(" ")}>
      {isOne ? (
        <Opener
          opens="dialog"
          className="picker"
          aria-label={`Simulated machine: ${text}`}
          face={
            <>
              <span className="phone-setup-text">{text}</span>
              <Icon name="chevron" size={12} />
            </>
          }
        >
          {(floating) => (
            <FloatingDialog
              {...floating}
              label="Simulated machine"
              className="phone-setup-body"
              popoverClass="phone-setup"
            >
              {({ close }) => (
                <Pickers
                  onEdit={(tab) => {
                    close();
                    onEdit(tab);
                  }}
                  onDialog={(dialog) => {
                    close();
                    onDialog(dialog);
                  }}
                />
              )}
            </FloatingDialog>
          )}
        </Opener>
      ) : (
        <Pickers
          onEdit={onEdit}
          onDialog={onDialog}
          brief={gone.has("long-words")}
        />
      )}
    </div>
  );
}

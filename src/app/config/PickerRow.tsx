/**
 * The pickers in the row of the header. Without space for all of it, the row leaves out labels first, then uses
 * short words, and at last becomes one button that opens the pickers.
 */
import { useRef } from "react";
import { isEdited } from "../../state/selectors";
import { useFit } from "../../views/shared/useFit";
import { useApp } from "../context";
import type { EditorTab } from "./editorTab";
import { Pickers } from "./Pickers";
import { SetupOpener } from "./SetupOpener";
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
    <div
      ref={row}
      className="pickers"
      lang="en"
      data-without={[...gone].join(" ")}
    >
      {isOne ? (
        <SetupOpener
          text={text}
          className="picker"
          name={`Simulated machine: ${text}`}
          onEdit={onEdit}
          onDialog={onDialog}
        />
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

/** The sizes of the TLBs that a run used, with the way to the screen that shows them. */
import { machineLine } from "../../model/code/machineLine";
import type { ProgramShown } from "../../model/code/code";

export interface MachineNoteProps {
  readonly shown: ProgramShown;
  /** Opens the run in the replay, which draws its TLBs. */
  readonly onOpen: () => void;
}

export function MachineNote({ shown, onOpen }: MachineNoteProps) {
  const { of, arrays, notes } = machineLine(shown);
  // Exceptions ended all accesses.
  if (arrays.length === 0) return null;
  return (
    <div className="code-machine small t2">
      <p>
        {of} · {arrays.join(" · ")}{" "}
        <button
          type="button"
          className="code-link"
          title="Opens the accesses in the replay, which draws each TLB"
          onClick={onOpen}
        >
          See them in Replay
        </button>
      </p>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}

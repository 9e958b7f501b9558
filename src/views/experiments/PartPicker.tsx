/** The simulations of an experiment that the replay can open. */
import { useId } from "react";
import type { Part } from "../../engine/generated/Part";
import { useChosen } from "../shared/choices";

export interface PartPickerProps {
  /** The experiment of the parts; a choice in one experiment does not carry over to another. */
  readonly experiment: string;
  readonly parts: readonly Part[];
  readonly onOpen: (part: Part) => void;
}

export function PartPicker({ experiment, parts, onOpen }: PartPickerProps) {
  const id = useId();
  const [chosen, choose] = useChosen("part");
  const choice = (at: number | string) => `${experiment}:${at}`;
  const at = Math.max(
    0,
    parts.findIndex((_, at) => choice(at) === chosen),
  );
  const part = parts[at];
  return (
    <form
      className="experiment-parts"
      onSubmit={(event) => {
        event.preventDefault();
        if (part) onOpen(part);
      }}
    >
      <label htmlFor={id}>Replay one of its simulations access by access</label>
      <div className="experiment-part">
        <select
          id={id}
          className="field"
          value={at}
          onChange={(event) => choose(choice(event.target.value))}
        >
          {parts.map(({ name }, at) => (
            <option key={at} value={at}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" className="btn">
          Open as a replay
        </button>
      </div>
    </form>
  );
}

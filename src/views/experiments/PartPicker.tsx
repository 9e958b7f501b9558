/** The simulations of an experiment that the replay can open. */
import { useId, useState } from "react";
import type { Part } from "../../engine/generated/Part";

export interface PartPickerProps {
  readonly parts: readonly Part[];
  readonly onOpen: (part: Part) => void;
}

export function PartPicker({ parts, onOpen }: PartPickerProps) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const part = parts[Math.min(chosen, parts.length - 1)];
  return (
    <form
      className="experiment-parts"
      onSubmit={(event) => {
        event.preventDefault();
        if (part) onOpen(part);
      }}
    >
      <label htmlFor={id}>See one of its simulations access by access</label>
      <div className="experiment-part">
        <select
          id={id}
          className="field"
          value={chosen}
          onChange={(event) => setChosen(Number(event.target.value))}
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

import { SPEEDS, speedWord } from "../../model/transport/speed";
import type { Speed } from "../../model/shared/units";
import { Segmented } from "../shared/Segmented";

export interface SpeedChoiceProps {
  readonly speed: Speed;
  readonly onSpeed: (speed: Speed) => void;
}

/** Accesses per second: each choice is one click. */
export function SpeedChoice({ speed, onSpeed }: SpeedChoiceProps) {
  return (
    <span className="speed">
      <Segmented
        label="Speed in accesses per second"
        choices={SPEEDS.map((each) => ({
          value: String(each),
          label: speedWord(each),
        }))}
        value={String(speed)}
        onChange={(value) => onSpeed(Number(value))}
      />
      <span className="speed-unit">/s</span>
    </span>
  );
}

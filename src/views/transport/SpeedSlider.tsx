import { memo } from "react";
import { speed as speedText } from "../../model/shared/format";
import {
  speedAt,
  SPEEDS,
  speedSentence,
  speedStep,
} from "../../model/transport/speed";
import type { Speed } from "../../model/shared/units";

export interface SpeedSliderProps {
  readonly speed: Speed;
  readonly onSpeed: (speed: Speed) => void;
}

/** Accesses per second on a logarithmic scale, with a tick at each power of ten. */
export const SpeedSlider = memo(function SpeedSlider({
  speed,
  onSpeed,
}: SpeedSliderProps) {
  const last = SPEEDS.length - 1;
  const powers = Array.from(
    { length: Math.floor(last / 3) + 1 },
    (_, power) => power,
  );
  return (
    <span className="speed">
      <span className="speed-track">
        <svg className="speed-ticks" width="100%" height="8" aria-hidden="true">
          {powers.map((power) => {
            const x = `${(power * 3 * 100) / last}%`;
            return <line key={power} x1={x} x2={x} y1="0" y2="8" />;
          })}
        </svg>
        <input
          type="range"
          aria-label="Speed"
          aria-valuetext={speedSentence(speed)}
          min={0}
          max={last}
          step={1}
          value={speedStep(speed)}
          onChange={(event) => onSpeed(speedAt(event.target.valueAsNumber))}
        />
      </span>
      <output className="speed-text">{speedText(speed)}</output>
    </span>
  );
});

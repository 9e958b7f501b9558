/**
 * A slider over the values of one number of the machine. The machine's own value is marked, and the effect is
 * below.
 */
import {
  Label,
  Slider,
  SliderOutput,
  SliderThumb,
  SliderTrack,
} from "react-aria-components";
import type { MachineConfig } from "../../engine/generated/MachineConfig";
import { count } from "../../model/shared/format";
import type { Knob } from "../../model/whatif/machine";

export interface KnobSliderProps {
  readonly knob: Knob;
  /** The effect of the change: `walks −581`. */
  readonly effect: string;
  readonly onMove: (machine: MachineConfig, id: string) => void;
  readonly onRest: () => void;
}

export function KnobSlider({ knob, effect, onMove, onRest }: KnobSliderProps) {
  const { id, label, unit = "", values, value, own, put } = knob;
  const text = (n: number) => `${count(n)}${unit === "" ? "" : ` ${unit}`}`;
  const last = Math.max(1, values.length - 1);
  const at = Math.max(0, values.indexOf(value));
  const ownAt = Math.max(0, values.indexOf(own));
  const isMoved = value !== own;
  const share = (n: number) => `${(n / last) * 100}%`;
  return (
    <Slider
      className="wi-knob"
      minValue={0}
      maxValue={last}
      step={1}
      value={at}
      onChange={(next) => {
        const chosen = values[next];
        if (chosen !== undefined) onMove(put(chosen), id);
      }}
      onChangeEnd={onRest}
    >
      <div className="wi-knob-head">
        <Label>{label}</Label>
        <SliderOutput className="mono">{text(value)}</SliderOutput>
      </div>
      <SliderTrack className="wi-track">
        <span className="wi-track-line" />
        <span
          className="wi-track-moved"
          style={{
            left: share(Math.min(at, ownAt)),
            width: share(Math.abs(at - ownAt)),
          }}
        />
        <span className="wi-track-own" style={{ left: share(ownAt) }} />
        <SliderThumb
          className="wi-thumb"
          aria-label={`${label}: ${text(value)}`}
        />
      </SliderTrack>
      <div className="wi-knob-foot">
        <span className="t3">machine {text(own)}</span>
        <span className={isMoved ? "wi-strong" : "t3"}>
          {isMoved ? effect : "no change"}
        </span>
      </div>
    </Slider>
  );
}

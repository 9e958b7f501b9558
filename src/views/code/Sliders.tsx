/** Sliders for the numbers of `#define N 512 // 64..4096`. A new number runs the program again. */
import { useId, useRef } from "react";
import {
  definesOf,
  lastStop,
  stopOf,
  valueAt,
  withValue,
} from "../../model/code/defines";
import { count } from "../../model/shared/format";

export interface SlidersProps {
  readonly code: string;
  readonly before: string;
  readonly onCode: (code: string) => void;
  readonly onRun: () => void;
}

export function Sliders({ code, before, onCode, onRun }: SlidersProps) {
  const ran = useRef(code);
  const id = useId();
  const defines = definesOf(code);
  const run = () => {
    if (ran.current === code) return;
    ran.current = code;
    onRun();
  };
  const withRange = defines.filter(({ range }) => range);
  if (withRange.length === 0) return null;
  return (
    <div className="code-sliders">
      {withRange.map((define) => {
        const { name, value, range } = define;
        if (!range) return null;
        const { stops } = range;
        return (
          <label
            key={name}
            title={stops && `Steps: ${stops.map(count).join(", ")}`}
          >
            <span className="mono">{name}</span>
            <input
              type="range"
              aria-label={`${before}${name}`}
              aria-valuetext={count(value)}
              min={0}
              max={lastStop(range)}
              step={1}
              list={stops && `${id}${name}`}
              value={stopOf(define)}
              onPointerDown={() => (ran.current = code)}
              onFocus={() => (ran.current = code)}
              onChange={({ target }) =>
                onCode(
                  withValue(code, define, valueAt(range, Number(target.value))),
                )
              }
              onPointerUp={run}
              onKeyUp={run}
            />
            {stops ? (
              <datalist id={`${id}${name}`}>
                {stops.map((_, at) => (
                  <option key={at} value={at} />
                ))}
              </datalist>
            ) : null}
            <output className="num">{count(value)}</output>
          </label>
        );
      })}
    </div>
  );
}

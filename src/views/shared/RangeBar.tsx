import "./rangeBar.css";

export interface RangeBarProps {
  /** The ends of the interval on the axis, 0 to 1. */
  readonly extent: { readonly from: number; readonly to: number };
  /** The point on the axis. */
  readonly own: number;
}

/** An interval as a part of an axis, with a mark at its point. The texts beside it say the same. */
export function RangeBar({ extent: { from, to }, own }: RangeBarProps) {
  return (
    <div className="range-bar" aria-hidden="true">
      <div
        className="range-bar-extent"
        style={{ left: `${from * 100}%`, right: `${(1 - to) * 100}%` }}
      />
      <div className="range-bar-point" style={{ left: `${own * 100}%` }} />
    </div>
  );
}

/** Walks left with n huge pages: bars that are buttons, each a whole simulation that can be applied. */
import type { HugePoint } from "../../engine/generated/HugePoint";
import { count, memorySize } from "../../model/format";
import { Tooltip } from "../shared/Tooltip";

export interface AdviceCurveProps {
  readonly points: readonly HugePoint[];
  readonly onApply: (n: number) => void;
}

export function AdviceCurve({ points, onApply }: AdviceCurveProps) {
  const most = Math.max(1, ...points.map(({ walks }) => walks));
  return (
    <ol className="wi-steps" aria-label="Walks left by huge pages">
      {points.map(({ huge_pages: n, walks, extra_bytes: extra }) => (
        <li key={n}>
          <Tooltip
            content={`${count(n)} huge pages: ${count(walks)} walks left, ${memorySize(extra)} more memory. Click to try it.`}
          >
            <button
              type="button"
              className="wi-step"
              aria-label={`Apply ${count(n)} huge pages: ${count(walks)} walks left, ${memorySize(extra)} more memory`}
              onClick={() => onApply(n)}
            >
              <span
                style={{ height: `${Math.max(1, (walks / most) * 64)}px` }}
              />
            </button>
          </Tooltip>
          <span className="mono">{count(n)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Rows of a table as bars, for results without a chart. A ring marks the published number. */
import type { Bars } from "../../model/experiments/picture";
import { quantity } from "../../model/shared/quantity";
import "./picture.css";

export function BarPicture({ bars: { title, unit, bars } }: BarPictureProps) {
  const most = Math.max(
    ...bars.map(({ value, published = 0 }) => Math.max(value, published)),
  );
  const share = (value: number) => `${most > 0 ? (value / most) * 100 : 0}%`;
  return (
    <div className="bars">
      <p className="bars-unit t3 small">{unit === "" ? title : unit}</p>
      <dl>
        {bars.map(({ label, value, published }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {quantity(value)}
              {published === undefined ? null : (
                <span className="t3"> · published {quantity(published)}</span>
              )}
            </dd>
            <dd className="bars-track" aria-hidden="true">
              <span className="bars-bar" style={{ width: share(value) }} />
              {published === undefined ? null : (
                <span
                  className="bars-published"
                  style={{ insetInlineStart: share(published) }}
                />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface BarPictureProps {
  readonly bars: Bars;
}

/** The first accesses that end differently, as a list to step through. */
import type { LockstepView } from "../../engine/generated/LockstepView";
import {
  differencesCsv,
  endedText,
  listedText,
} from "../../model/compare/differences";
import { count } from "../../model/shared/format";
import { Glyph } from "../shared/Glyph";
import { SavePicture } from "../shared/picture/SavePicture";

export interface DifferenceListProps {
  readonly view: LockstepView;
  readonly at: number;
  readonly onSeek: (index: number) => void;
}

export function DifferenceList({ view, at, onSeek }: DifferenceListProps) {
  const { listed } = view;
  const some = listedText(view);
  if (listed.length === 0) return null;
  return (
    <>
      <div className="compare-part-head">
        <span className="t2 small">
          {some
            ? `Listed here and in the file: the ${some}.`
            : "All are listed."}
        </span>
        <span className="spacer" />
        <SavePicture
          what="Differing accesses"
          hasPicture={false}
          tables={[{ of: some, csv: () => differencesCsv(view) }]}
        />
      </div>
      <div
        className="compare-list"
        role="region"
        aria-label="Differing accesses"
        // The list scrolls.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">access</th>
              <th scope="col">left</th>
              <th scope="col">right</th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ index, left, right }) => (
              <tr key={index} aria-current={index === at ? "true" : undefined}>
                <th scope="row">
                  <button
                    type="button"
                    className="plain-button compare-go"
                    onClick={() => onSeek(index)}
                  >
                    {count(index)}
                  </button>
                </th>
                <td>
                  <Glyph outcome={left.outcome} /> {endedText(left)}
                </td>
                <td>
                  <Glyph outcome={right.outcome} /> {endedText(right)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

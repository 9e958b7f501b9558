/** How sure the reader was, against how often that was right at the first try, and what it means. */
import { calibrationOf } from "../../model/learn/calibration";
import type { LessonProgress } from "../../model/learn/progress";
import type { SayLearn } from "../../model/learn/question";

export interface CalibrationTableProps {
  readonly say: SayLearn;
  readonly lessons: readonly LessonProgress[];
  /** Only the heading is seen at first. */
  readonly folded?: boolean;
}

/** Nothing before the first answer with “How sure?”. */
export function CalibrationTable(props: CalibrationTableProps) {
  const { say, lessons, folded = false } = props;
  const { counts, verdict } = calibrationOf(lessons);
  if (counts.every(({ n }) => n === 0)) return null;
  const title = say("calibration");
  const content = (
    <>
      <table>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{say("howSure")}</th>
            <th scope="col">{say("rightAtOnce")}</th>
          </tr>
        </thead>
        <tbody>
          {counts.map(({ sure, right, n }) => (
            <tr key={sure}>
              <th scope="row">{say(sure)}</th>
              <td>
                <span
                  className="calibration-bar"
                  aria-hidden="true"
                  data-empty={n === 0 || undefined}
                >
                  <i style={{ width: `${n === 0 ? 0 : (100 * right) / n}%` }} />
                </span>
                {n === 0 ? "–" : say("rightOf", { right, n })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{say("calibrationVerdict", { verdict })}</p>
      <p>{say("onlyLessons")}</p>
    </>
  );
  return (
    <section className="calibration" aria-label={title}>
      {folded ? (
        <details>
          <summary>{title}</summary>
          {content}
        </details>
      ) : (
        <>
          <h3>{title}</h3>
          {content}
        </>
      )}
    </section>
  );
}

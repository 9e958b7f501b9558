/** Walks over time on both sides, on one scale, and their difference. A click moves both replays there. */
import type { LockstepView } from "../../engine/generated/LockstepView";
import { walksCsv } from "../../model/compare/differences";
import { count, counted, delta } from "../../model/shared/format";
import { walkDifference } from "../../model/compare/walkDifference";
import { SavePicture } from "../shared/picture/SavePicture";
import { TraceTag } from "../shared/TraceTag";

export interface CompareTimelineProps {
  readonly view: LockstepView;
  readonly at: number;
  readonly onSeek: (index: number) => void;
}

const WIDTH = 1000;
const HEIGHT = 44;

export function CompareTimeline({ view, at, onSeek }: CompareTimelineProps) {
  const { from, to, width, left_walks: left, right_walks: right } = view;
  const n = left.length;
  if (n === 0) return null;
  const most = Math.max(1, ...left, ...right);
  const differences = left.map((walks, bin) => (right[bin] ?? 0) - walks);
  const far = Math.max(1, ...differences.map(Math.abs));
  const step = WIDTH / n;
  const bars = (numbers: readonly number[]) =>
    numbers
      .map((walks, bin) => {
        const height = (walks / most) * HEIGHT;
        return `M${bin * step} ${HEIGHT}v${-height}h${step}v${height}z`;
      })
      .join("");
  const signed = differences
    .map((walks, bin) => {
      const height = (walks / far) * (HEIGHT / 2);
      return `M${bin * step} ${HEIGHT / 2}v${-height}h${step}v${height}z`;
    })
    .join("");
  const x = ((at - from) / Math.max(1, to - from)) * WIDTH;
  const seek = (event: React.MouseEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    onSeek(Math.min(to - 1, from + Math.floor(share * (to - from))));
  };
  const strip = (name: string, note: string, path: string, kind: string) => (
    <div className="compare-strip">
      <div className="compare-strip-name">
        <b>{name}</b> <span className="t2">{note}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${note}`}
        onClick={seek}
      >
        <path className={kind} d={path} />
        {kind === "signed" ? (
          <line
            className="compare-zero"
            x1={0}
            x2={WIDTH}
            y1={HEIGHT / 2}
            y2={HEIGHT / 2}
          />
        ) : null}
        <line className="compare-cursor" x1={x} x2={x} y1={0} y2={HEIGHT} />
      </svg>
    </div>
  );
  const sum = (numbers: readonly number[]) =>
    numbers.reduce((total, each) => total + each, 0);
  const here = walkDifference(view, at);
  // Walks are counted by bin, so the exact position of a walk within a bin is unknown.
  const border = here.by === at ? "" : ", where the cursor’s bar begins";
  const scale = `at most ${count(most)} in ${counted(width, "access", "accesses")}`;
  return (
    <section
      className="compare-timeline"
      aria-label="Walks over time"
      data-picture=""
    >
      <div className="compare-part-head">
        <h3>Walks over time</h3>
        <TraceTag />
        <span className="spacer" />
        <SavePicture
          what="Walks over time"
          tables={[{ csv: () => walksCsv(view) }]}
        />
      </div>
      {strip(
        "Left",
        `${counted(sum(left), "walk")}, ${scale}`,
        bars(left),
        "walks",
      )}
      {strip(
        "Right",
        `${counted(sum(right), "walk")}, on the same scale`,
        bars(right),
        "walks",
      )}
      {strip(
        "Right − left",
        `${delta(here.walks)} ${Math.abs(here.walks) === 1 ? "walk" : "walks"} before access ${count(here.by)}${border}, ${delta(sum(differences))} in all; up: more on the right, at most ${count(far)}`,
        signed,
        "signed",
      )}
    </section>
  );
}

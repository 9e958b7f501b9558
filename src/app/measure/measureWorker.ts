/** Measures beside the page: a round times every number of pages once. The page ends the worker to cancel. */
import type { ChaseSamples } from "../../engine/generated/ChaseSamples";
import init, { Measurement } from "../../engine/pkg/chase/pagewalk";
import type { MeasureJob } from "../../model/measure/state";
import { messageOf } from "../../model/shared/messageOf";
import type { MeasureAnswer } from "./measureMessages";

/** The fewest rounds with a result. A loaded computer gets more time for them. */
const FEWEST_ROUNDS = 4;
const MOST_SECONDS = 60;

globalThis.onmessage = ({ data }: MessageEvent<MeasureJob>) => {
  measure(data).then(
    (samples) => post({ samples }),
    (thrown: unknown) => post({ problem: messageOf(thrown) }),
  );
};

function post(answer: MeasureAnswer): void {
  globalThis.postMessage(answer);
}

async function measure({
  seconds: total,
  stride,
}: MeasureJob): Promise<ChaseSamples> {
  await init();
  const measurement = new Measurement(stride);
  const points = Array.from(measurement.pages, (pages) => ({
    pages,
    spread: [] as number[],
    dense: [] as number[],
  }));
  const adds: number[] = [];
  const begin = performance.now();
  const elapsed = () => (performance.now() - begin) / 1000;
  while (adds.length < FEWEST_ROUNDS || elapsed() < total) {
    const done = elapsed();
    if (done > MOST_SECONDS)
      throw new Error(
        `Only ${adds.length} rounds in a minute: close other programs, and measure again.`,
      );
    post({
      progress: { done: Math.min(done, total), total, rounds: adds.length },
    });
    for (const [at, { spread, dense }] of points.entries()) {
      const [ofSpread = 0, ofDense = 0] = measurement.times(at);
      spread.push(ofSpread);
      dense.push(ofDense);
    }
    adds.push(measurement.end_round());
  }
  return { place: "browser", page: "4K", stride, adds, points };
}

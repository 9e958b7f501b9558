/** Long work cut into slices of about 20 ms, so that cancel and progress are ordinary messages. */
import type { Progress } from "./engine";

/** Aim of one slice in milliseconds: long enough to cost little, short enough to stay responsive. */
const SLICE_MS = 20;

/** At most this often is progress reported, in milliseconds. */
const REPORT_MS = 100;

/** Finds how many units fit into a slice by timing the slices before. */
export class Slicer {
  size: number;
  readonly #least: number;
  readonly #most: number;

  constructor(start: number, least: number, most: number) {
    this.size = start;
    this.#least = least;
    this.#most = most;
  }

  /** Does one slice of work, and adapts the size of the next one to its time. */
  slice<T>(work: (size: number) => T): T {
    const start = performance.now();
    const result = work(this.size);
    const took = performance.now() - start;
    // At most fourfold at a time: one odd measurement must not make a slice of seconds.
    const factor = Math.min(4, Math.max(1 / 4, SLICE_MS / Math.max(took, 0.1)));
    this.size = Math.round(
      Math.min(this.#most, Math.max(this.#least, this.size * factor)),
    );
    return result;
  }
}

/** Says when enough time went by since the last pause for another one. */
export class Pacer {
  #since = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS / 2) return;
    await nextTask();
    this.#since = performance.now();
  }
}

/** Rates and spacing of progress messages. */
export class Meter {
  readonly #start = performance.now();
  readonly #send: (progress: Progress) => void;
  #last = this.#start;

  constructor(report: (progress: Progress) => void) {
    this.#send = report;
  }

  /** Reports the progress with its rate, if it is known and the last report is old enough. */
  report(read: () => Omit<Progress, "rate"> | null): void {
    const now = performance.now();
    if (now - this.#last < REPORT_MS) return;
    const progress = read();
    if (!progress) return;
    this.#last = now;
    const seconds = (now - this.#start) / 1000;
    this.#send({ ...progress, rate: progress.done / seconds });
  }
}

/**
 * Lets messages that wait be handled. A promise alone would not: microtasks run before any
 * message. `setTimeout` is clamped to 4 ms after a few rounds.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

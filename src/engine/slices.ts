/** Long work cut into slices of about 20 ms, so that cancel and progress are ordinary messages. */
import type { Progress } from "./engine";

/**
 * The target duration of a slice in milliseconds: long enough for little overhead, short enough to stay responsive.
 */
const SLICE_MS = 20;

/** The shortest time between two reports of progress, in milliseconds. */
const REPORT_MS = 100;

/** Finds the number of units that fit into a slice, from the duration of earlier slices. */
export class Slicer {
  size: number;
  readonly #least: number;
  readonly #most: number;

  constructor(start: number, least: number, most: number) {
    this.size = start;
    this.#least = least;
    this.#most = most;
  }

  /** Runs one slice of work, and adapts the size of the next slice to its duration. */
  slice<T>(work: (size: number) => T): T {
    const start = performance.now();
    const result = work(this.size);
    const took = performance.now() - start;
    // The size changes at most fourfold at a time, so that one wrong measurement cannot make a slice of seconds.
    const factor = Math.min(4, Math.max(1 / 4, SLICE_MS / Math.max(took, 0.1)));
    this.size = Math.round(
      Math.min(this.#most, Math.max(this.#least, this.size * factor)),
    );
    return result;
  }
}

/** Decides when enough time has passed since the last pause for another one. */
export class Pacer {
  #since = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS / 2) return;
    await nextTask();
    this.#since = performance.now();
  }
}

/** Computes the rate of the progress, and limits the number of its messages. */
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
 * Lets waiting messages be handled. A promise alone would not do that, because microtasks run before messages.
 * `setTimeout` is clamped to 4 ms after a few rounds.
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

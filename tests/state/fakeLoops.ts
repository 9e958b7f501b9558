/** Loops without a sandbox. The test sets the outcome of a run. */
import type { LoopCode } from "../../src/model/loop/loop";
import type { LoopService } from "../../src/state/loop/service";

export interface FakeLoops extends LoopService {
  /** The codes that ran, in order. */
  readonly ran: string[];
  /** The result of the next run. */
  outcome: Awaited<ReturnType<LoopService["run"]>>;
  stored: readonly LoopCode[];
}

/** Creates fake loops. The word for a link is the code with a `!` after it. */
export function fakeLoops(): FakeLoops {
  const loops: FakeLoops = {
    ran: [],
    outcome: undefined,
    stored: [],
    run: (code, { onProgress }) => {
      loops.ran.push(code);
      onProgress(2);
      return Promise.resolve(loops.outcome);
    },
    pack: (code) => Promise.resolve(`${code}!`),
    unpack: (word) =>
      word.endsWith("!")
        ? Promise.resolve(word.slice(0, -1))
        : Promise.reject(new Error("damaged")),
    kept: () => loops.stored,
    keep: (all) => (loops.stored = all),
  };
  return loops;
}

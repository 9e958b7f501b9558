/** Loops without a sandbox: what a run comes to is what the test says. */
import type { LoopCode } from "../../src/model/loop/loop";
import type { LoopService } from "../../src/state/loop/service";

export interface FakeLoops extends LoopService {
  /** The codes that ran, in order. */
  readonly ran: string[];
  /** The result of the next run. */
  outcome: Awaited<ReturnType<LoopService["run"]>>;
  stored: readonly LoopCode[];
}

/** A packed word is the code, before a `!`. */
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

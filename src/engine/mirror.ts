/**
 * A copy of the trace of the small module in a session of the whole one, which can do more with it. It is
 * made when it is first asked for, and kept until the trace changes: to copy takes longer than a run.
 */
import { copyTrace } from "./jobs";
import type { Slices } from "./jobs";
import type { FirstSession, WasmModule, WasmSession } from "./wasm";

interface Copy {
  readonly session: WasmSession;
  /** Jobs under way on it. */
  nUsers: number;
}

export class Mirror {
  #copy: Copy | undefined;

  /** Work on a copy of the trace that `from` has now. The work goes on if the trace changes meanwhile. */
  *lend<T>(
    module: WasmModule,
    from: FirstSession,
    work: (session: WasmSession) => Slices<T>,
  ): Slices<T> {
    const copy = (this.#copy ??= copyOf(module, from));
    copy.nUsers += 1;
    try {
      return yield* work(copy.session);
    } finally {
      copy.nUsers -= 1;
      if (copy !== this.#copy && copy.nUsers === 0) copy.session.free();
    }
  }

  /** The trace changes. */
  drop(): void {
    const copy = this.#copy;
    this.#copy = undefined;
    if (copy?.nUsers === 0) copy.session.free();
  }
}

function copyOf(module: WasmModule, from: FirstSession): Copy {
  const session = module.newSession();
  try {
    copyTrace(from, session);
    return { session, nUsers: 0 };
  } catch (thrown) {
    session.free();
    throw thrown;
  }
}

/**
 * An engine without a worker, for tests in Node. Messages are cloned and delayed as by `postMessage`, so that a
 * test cannot pass with messages that a worker could not receive.
 */
import type { Modules } from "./binding";
import { EngineClient } from "./client";
import { transferables } from "./protocol";
import type { Reply } from "./protocol";
import { Session } from "./session";
import { nextTask } from "./slices";

/**
 * `load` makes new instances. `panic` returns the last message of the panic hook. `nRunners` is the number of
 * instances for many runs.
 */
export function directEngine(
  load: () => Promise<Modules>,
  panic: () => string | undefined = () => undefined,
  nRunners = 1,
): EngineClient {
  return new EngineClient((receive) => {
    let open = true;
    const deliver = (reply: Reply) => {
      if (!open) return;
      const copy = structuredClone(reply, { transfer: transferables(reply) });
      void nextTask().then(() => {
        if (open) receive(copy);
      });
    };
    const session = load().then((modules) => {
      const made = new Session(modules, deliver, panic);
      deliver({ type: "ready" });
      return made;
    });
    session.catch((error: unknown) =>
      deliver({
        type: "dead",
        error: { code: "crashed", message: String(error) },
      }),
    );
    return {
      post: (request) => {
        void session.then(
          (made) => made.receive(request),
          () => undefined,
        );
      },
      close: () => {
        open = false;
      },
    };
  }, nRunners);
}

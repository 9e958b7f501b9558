/** The worker: a session on the wasm modules, and nothing else. */
import init, { Session as Small } from "./pkg/replay/pagewalk.js";
import type { WasmModule } from "./binding";
import { unloaded } from "./errors";
import { plainError } from "./errors";
import { transferables } from "./protocol";
import type { Reply, Request } from "./protocol";
import { Session } from "./session";

/** The used part of a worker's global scope. The DOM's types describe only the scope of a window. */
interface Scope {
  readonly name: string;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply, transfer: ArrayBuffer[]): void;
  /** The panic hook of the module calls this function before the module traps. */
  __pagewalkPanic?: (message: string) => void;
}

// This module is only ever loaded as a worker.
const scope = globalThis as unknown as Scope;

let panic: string | undefined;
scope.__pagewalkPanic = (message) => {
  panic = message;
};

const post = (reply: Reply) => scope.postMessage(reply, transferables(reply));

// Calls may arrive while the module is being compiled; they wait.
const early: Request[] = [];
let session: Session | undefined;
scope.onmessage = ({ data }) => {
  if (session) session.receive(data);
  else early.push(data);
};

try {
  await holdLock();
  post({ type: "started" });
  const { memory } = await init();
  session = new Session(
    {
      small: {
        newSession: () => new Small(),
        memoryBytes: () => memory.buffer.byteLength,
      },
      whole: loadWhole,
    },
    post,
    () => panic,
  );
  post({ type: "ready" });
  for (const request of early) session.receive(request);
} catch (thrown) {
  const { message } = plainError(thrown, { memoryBytes: 0, panic });
  post({ type: "dead", error: { code: "crashed", message } });
}

/** Holds the lock with the name of this worker until the worker ends. A page without an origin has no locks. */
function holdLock(): Promise<void> {
  return new Promise((resolve) => {
    const held = () => {
      resolve();
      return new Promise(() => {});
    };
    const locks = navigator.locks as LockManager | undefined;
    if (locks) locks.request(scope.name, held).catch(() => resolve());
    else resolve();
  });
}

/** Loads the whole module, which is larger than the rest of the site. */
async function loadWhole(): Promise<WasmModule> {
  try {
    const { default: initWhole, wholeSession } =
      await import("./pkg/pagewalk.js");
    const { memory } = await initWhole();
    return {
      newSession: () => wholeSession(),
      memoryBytes: () => memory.buffer.byteLength,
    };
  } catch (thrown) {
    return unloaded(thrown);
  }
}

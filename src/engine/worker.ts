/** The worker: a session on the wasm module, and nothing else. */
import init, { Session as Binding } from "./pkg/pagewalk.js";
import { plainError } from "./errors";
import { transferables } from "./protocol";
import type { Reply, Request } from "./protocol";
import { Session } from "./session";

/** The part of a worker's scope that is used here; the DOM's types know only that of a window. */
interface Scope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply, transfer: ArrayBuffer[]): void;
  /** Called by the module's panic hook, before it traps. */
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
  const { memory } = await init();
  session = new Session(
    {
      newSession: () => new Binding(),
      cpus: () => Binding.cpus(),
      workloads: () => Binding.workloads(),
      experiments: () => Binding.experiments(),
      checkWorkload: (workload) => Binding.checkWorkload(workload),
      memoryBytes: () => memory.buffer.byteLength,
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

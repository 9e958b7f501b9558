/** An import on two instances, of a file whose bytes are still being made. */
import type { Engine, SharedOptions } from "./calls";
import type { TraceView } from "./generated/TraceView";

export interface SharedImport {
  /** Adds the next bytes of the file. */
  readonly add: (bytes: ArrayBufferView<ArrayBuffer>) => void;
  /** Ends the file. Resolves when the trace is that of the main instance. */
  readonly end: () => Promise<TraceView>;
  /** Gives up. The main instance keeps the trace that it had. */
  readonly drop: () => void;
  /** Rejects as soon as one of the two fails; the other may then wait for ever. */
  readonly trace: Promise<TraceView>;
}

/** The helper gets the bytes, and passes them on to the main instance. It encodes most of the accesses. */
export function importShared(
  main: Engine,
  helper: Engine,
  options: SharedOptions,
  signal: AbortSignal,
): SharedImport {
  const { port1: port, port2: file } = new MessageChannel();
  const { port1: to, port2: passed } = new MessageChannel();
  const trace = Promise.all([
    main.start("importShared", { ...options, file: passed }, { signal }),
    helper.start("helpImport", { ...options, file, to }, { signal }),
  ]).then(([view]) => view);
  const drop = () => port.postMessage(false);
  signal.addEventListener("abort", drop, { once: true });
  return {
    add: ({ buffer, byteOffset, byteLength }) => {
      const copy = buffer.slice(byteOffset, byteOffset + byteLength);
      port.postMessage(copy, [copy]);
    },
    end: () => {
      port.postMessage(null);
      return trace;
    },
    drop,
    trace,
  };
}

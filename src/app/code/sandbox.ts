/**
 * The frame that runs programs. It has `sandbox="allow-scripts"` and nothing else: its origin is opaque, so it cannot
 * reach storage, cookies and the page. Its policy forbids fetching. A worker that is started from a blob inherits
 * origin and policy. The code runs in such a worker, so the page stays responsive, and removing the frame ends the
 * code. A worker alone would share the page's origin, with its storage and its network.
 *
 * The frame stands in another frame, which is loaded from a file: a frame without a file has the policy of the document
 * around it, and the page's policy forbids such code. The file itself is not sandboxed, because browsers ask no
 * service worker for a sandboxed document. It would be missing offline.
 */
import frameUrl from "./frame.html?url";

export interface Sandbox {
  /** The worker's messages, which are untrusted. */
  readonly port: MessagePort;
  /** Ends the worker, even while the code runs. */
  readonly close: () => void;
}

export interface SandboxProps {
  /** The script of the worker, which imports nothing. */
  readonly source: string;
  /** The worker's first and only message. */
  readonly start: unknown;
  /** Receives the worker's messages. */
  readonly onMessage: (data: unknown) => void;
  /** Called if the worker could not start, or ended by itself: out of memory. */
  readonly onCrash: (why: string) => void;
  /** Called if the frame could not be loaded. */
  readonly onMissing: () => void;
}

/** A frame without a program. */
export interface PreparedSandbox {
  /** Starts a worker in the frame. It is called once at most. */
  readonly open: (props: SandboxProps) => Sandbox;
  readonly close: () => void;
}

/** The longest wait for the first message of a frame that has loaded, in milliseconds. */
const MISSING_MS = 1000;

/** The milliseconds between two questions whether the frame is alive. */
const PULSE_MS = 1000;

/** The unanswered questions after which the frame counts as ended. More than one, because a busy machine answers late. */
const UNANSWERED_AT_END = 3;

export function openSandbox(props: SandboxProps): Sandbox {
  return prepareSandbox().open(props);
}

/** Loads the frame, for which Chromium starts a process, before its program is there. */
export function prepareSandbox(): PreparedSandbox {
  const { port1: port, port2 } = new MessageChannel();
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "Runs programs";
  frame.src = frameUrl;
  let sandboxed: Window | undefined;
  let props: SandboxProps | undefined;
  let isMissing = false;
  let unanswered = 0;
  let pulse: ReturnType<typeof setInterval> | undefined;
  // Chromium gives the frame its own process, and does not report when that process ends.
  const ask = () => {
    if (unanswered === UNANSWERED_AT_END) props?.onCrash("");
    unanswered += 1;
    sandboxed?.postMessage("alive?", "*");
  };
  // The frame posts its first message before its load event, unless something else was loaded in its place.
  frame.onload = () =>
    setTimeout(() => {
      isMissing = !sandboxed;
      if (isMissing) props?.onMissing();
    }, MISSING_MS);
  const begin = () => {
    if (!props || !sandboxed) return;
    pulse = setInterval(ask, PULSE_MS);
    // The frame starts the worker, which then has the port. The target is `*`, because an opaque origin has no
    // name.
    const { source, start } = props;
    sandboxed.postMessage({ source, start }, "*", [port2]);
  };
  const listen = ({ source, data }: MessageEvent<unknown>) => {
    const from = source as Window | null;
    if (!from || from.parent !== frame.contentWindow) return;
    if (data === "ready") {
      sandboxed = from;
      isMissing = false;
      begin();
    } else if (data === "alive") unanswered = 0;
    else if (typeof data === "object" && data !== null && "crashed" in data)
      props?.onCrash(String(data.crashed));
  };
  addEventListener("message", listen);
  document.body.append(frame);
  const close = () => {
    clearInterval(pulse);
    removeEventListener("message", listen);
    port.close();
    frame.remove();
  };
  const open = (opened: SandboxProps): Sandbox => {
    props = opened;
    port.onmessage = ({ data }) => opened.onMessage(data);
    // The caller does not have the sandbox yet.
    if (isMissing) queueMicrotask(opened.onMissing);
    else begin();
    return { port, close };
  };
  return { open, close };
}

/**
 * The frame that runs loops. It has `sandbox="allow-scripts"` and nothing else: its origin is opaque, so it
 * cannot reach storage, cookies and the page. Its policy forbids fetching, and a worker started from a blob
 * inherits both. The code runs in that worker: the page stays responsive, and removing the frame ends the
 * code. A worker alone would share the page's origin, with its storage and its network.
 */
import workerSource from "./worker.js?raw";

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:";

/** Starts the worker with the page's first message; the port then belongs to the worker. */
const FRAME = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>
addEventListener("message", ({ data, ports, source }) => {
  if (source !== parent) return;
  const text = new Blob([data.source], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(text));
  worker.onerror = (event) => parent.postMessage({ crashed: event.message }, "*");
  worker.postMessage(data.start, ports);
}, { once: true });
parent.postMessage("ready", "*");
</script>`;

export interface Sandbox {
  /** The worker's messages, which are untrusted. */
  readonly port: MessagePort;
  /** Ends the worker, whatever it does. */
  readonly close: () => void;
}

export interface SandboxProps {
  /** The worker's first and only message. */
  readonly start: unknown;
  /** Receives the worker's messages. */
  readonly onMessage: (data: unknown) => void;
  /** Called if the worker could not start, or ended by itself: out of memory. */
  readonly onCrash: (why: string) => void;
}

export function openSandbox(props: SandboxProps): Sandbox {
  const { start, onMessage, onCrash } = props;
  const { port1: port, port2 } = new MessageChannel();
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.hidden = true;
  frame.title = "Runs loops";
  frame.srcdoc = FRAME;
  port.onmessage = ({ data }) => onMessage(data);
  const listen = ({ source, data }: MessageEvent<unknown>) => {
    if (source === null || source !== frame.contentWindow) return;
    if (data === "ready")
      // An opaque origin cannot be named as a target.
      frame.contentWindow.postMessage({ source: workerSource, start }, "*", [
        port2,
      ]);
    else if (typeof data === "object" && data !== null && "crashed" in data)
      onCrash(String(data.crashed));
  };
  addEventListener("message", listen);
  document.body.append(frame);
  return {
    port,
    close: () => {
      removeEventListener("message", listen);
      port.close();
      frame.remove();
    },
  };
}

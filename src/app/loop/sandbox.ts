/**
 * The frame that loops run in. It has `sandbox="allow-scripts"` and nothing else: its origin is opaque, so storage,
 * cookies and the page are out of reach; its policy lets nothing be fetched, and a worker that it starts from a blob
 * inherits both. The code runs in that worker: the page stays responsive, and removing the frame ends whatever runs.
 * A worker alone would share the origin of the page, with its storage and its network.
 */
import workerSource from "./worker.js?raw";

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:";

/** Starts the worker with what the page sends first; the port then belongs to the worker. */
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
  /** What the worker sends: from a stranger. */
  readonly port: MessagePort;
  /** Ends it, whatever it does. */
  readonly close: () => void;
}

export interface SandboxProps {
  /** What the worker gets, as its first and only message. */
  readonly start: unknown;
  /** Sees what the worker sends. */
  readonly onMessage: (data: unknown) => void;
  /** The worker could not be started, or ended by itself: out of memory. */
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
      // An opaque origin has no name to be sent to.
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

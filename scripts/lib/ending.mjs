/** The functions to call when the process ends, also by a signal. */
const last = new Set();

/** Calls a short function when the process ends: by itself, by `process.exit` or by a signal. */
export function atEnd(work) {
  last.add(work);
}

function end() {
  for (const work of last) {
    last.delete(work);
    work();
  }
}

process.on("exit", end);
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    end();
    // The handlers are removed, so the signal now ends the process as usual.
    process.kill(process.pid, signal);
  });
}

/** The functions to call when the process ends, also by a signal. */
const last = new Set();

/** Does this, which takes no time, when the process ends: by itself, by `process.exit` or by a signal. */
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
    // Nothing listens any more: it ends as if nothing had.
    process.kill(process.pid, signal);
  });
}

import { inspect } from "node:util";
import { inBlock, printer, say } from "./output.mjs";
import { Stop } from "./run.mjs";

const seconds = (since) =>
  `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Shows the name, the progress and the duration of a step. The output of its programs is shown if it fails. */
export async function step(name, work) {
  const start = performance.now();
  say(`▸ ${name} …`);
  const print = printer();
  const alive = setInterval(
    () => print(`  … ${name}, ${seconds(start)} so far\n`),
    20_000,
  );
  try {
    const { result } = await inBlock(name, work);
    say(`✓ ${name}, ${seconds(start)}`);
    return result;
  } finally {
    clearInterval(alive);
  }
}

/** Returns the text of an error: an expected stop is one line, any other error keeps its stack trace. */
export const explain = (error) =>
  error instanceof Stop ? `✗ ${error.message}` : inspect(error);

/** Runs a script's body. A failure ends the script, with all that still runs at the same time. */
export async function main(body) {
  endWithNpm();
  try {
    await body();
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}

/** Ends this script when npm ends, because the shell between npm and this script does not pass on the signal. */
function endWithNpm() {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, 500).unref();
}

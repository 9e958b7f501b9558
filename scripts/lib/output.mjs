import { AsyncLocalStorage } from "node:async_hooks";
import { atEnd } from "./ending.mjs";

/** The lines of the current block of output so far, if there is one. */
const blocks = new AsyncLocalStorage();

/** The blocks whose work has not ended, by name. */
const open = new Map();
atEnd(() => {
  for (const [block, name] of open)
    process.stdout.write(`\n── ${name}, not ended ──\n${block.join("")}\n`);
});

/** Returns whether output is collected now and shown later. */
export const isInBlock = () => blocks.getStore() !== undefined;

/** Returns a function that prints into the current block, also if it is called outside of the block later. */
export function printer(to = process.stdout) {
  const block = blocks.getStore();
  return (text) => void (block ? block.push(text) : to.write(text));
}

/** Prints like `console.log`, for steps that may run at the same time as others. */
export function say(text) {
  printer()(`${text}\n`);
}

/**
 * Returns the result of the work, and its output. If the work fails, its output is written immediately; if the
 * process ends earlier, at the end of the process.
 */
export async function inBlock(name, work) {
  const block = [];
  open.set(block, name);
  try {
    const result = await blocks.run(block, work);
    return { result, said: block.join("") };
  } catch (error) {
    say(`\n── ${name} ──\n${block.join("")}`);
    throw error;
  } finally {
    open.delete(block);
  }
}

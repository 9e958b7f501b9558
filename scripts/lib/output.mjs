import { AsyncLocalStorage } from "node:async_hooks";

/** What is said so far in the block that is being made, if one is. */
const blocks = new AsyncLocalStorage();

/** True where what is said is shown later. */
export const isInBlock = () => blocks.getStore() !== undefined;

/** Prints as the code around does, also where it is called from somewhere else later. */
export function printer(to = process.stdout) {
  const block = blocks.getStore();
  return (text) => void (block ? block.push(text) : to.write(text));
}

/** As `console.log`, for what may run beside something else. */
export function say(text) {
  printer()(`${text}\n`);
}

/** Gives what the work gives, and what it said. */
export async function inBlock(work) {
  const block = [];
  const result = await blocks.run(block, work);
  return { result, said: block.join("") };
}

/** Finds an access by its address: one that starts there, otherwise one to its page. */
import type { Target } from "../../engine/engine";
import { count } from "../../model/shared/format";
import type { Context } from "../context";
import { set } from "../context";
import { find, goTo, notifyBriefly } from "./cursor";

/**
 * Moves to the next access that fits best, or back to the previous one, and says what it has of the address. If no
 * access fits, the value is tried as a page number. Resolves to false if that fails, too.
 */
export async function findAddress(
  context: Context,
  address: string,
): Promise<boolean> {
  const { stale, machine } = context.store.getState();
  if (stale) return true;
  set(context, { playing: false });
  const start = BigInt(address) << BigInt(machine?.offset_bits ?? 12);
  const page = `0x${start.toString(16)}`;
  const none = `No access starts at ${address}`;
  const attempts: [target: PageTarget, there: Words, here: string][] = [
    [
      { what: "page", address, exact: true },
      (found) => `Access ${found} starts at ${address}.`,
      `No other access starts at ${address}.`,
    ],
    [
      { what: "page", address },
      (found) => `${none}; access ${found} is to its page.`,
      `${none}, and no other one is to its page.`,
    ],
  ];
  // An address has at most 64 bits.
  if (start > 0n && start >> 64n === 0n) {
    const text = `No access is to the page of address ${address}; this is page number ${address}, at ${page}.`;
    attempts.push([{ what: "page", address: page }, () => text, text]);
  }
  for (const [target, there, here] of attempts) {
    const found = await findAround(context, target);
    if (found === undefined) return true;
    if (found === null) continue;
    const isHere = found === context.store.getState().cursor;
    await goTo(context, found);
    notifyBriefly(context, isHere ? here : there(count(found)));
    return true;
  }
  return false;
}

type PageTarget = Extract<Target, { what: "page" }>;
type Words = (found: string) => string;

async function findAround(
  context: Context,
  target: PageTarget,
): Promise<number | null | undefined> {
  const forward = await find(context, target, 1);
  if (forward !== null) return forward;
  const back = await find(context, target, -1);
  if (back !== null) return back;
  // A search excludes its start, so it starts one access earlier to include the current one.
  const { cursor, trace } = context.store.getState();
  if (cursor > 0) return find(context, target, 1, cursor - 1);
  return (trace?.n_accesses ?? 0) > 1 ? find(context, target, -1, 1) : null;
}

/** Few links show a core, so the part that does is loaded on use. */
import type { Context } from "../context";

export async function coreOfLink(
  context: Context,
  core: number | undefined,
): Promise<void> {
  if (core !== undefined)
    await (await import("./linkedCore")).showLinkedCore(context, core);
}

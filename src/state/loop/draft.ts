/** The user's loop: showing its screen, editing it, saving it. */
import { LINK_MOST, LOOP_LIMITS, loopName } from "../../model/loop/loop";
import type { LoopCode } from "../../model/loop/loop";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { notify } from "../notices";

/** The initial code. */
export const FIRST_LOOP: LoopCode = {
  name: "my loop",
  code: `// Each load and store is an access of the trace.
const a = array(100000, 8); // elements, bytes of each

for (let i = 0; i < a.length; i++)
  load(a, i);
`,
};

/** Shows the screen, with the code of a link; it runs only when the user asks. */
export async function showLoop(
  context: Context,
  { code, loop: name = "" }: Pick<Permalink, "code" | "loop"> = {},
): Promise<void> {
  set(context, { screen: "loop", experiment: undefined, playing: false });
  const { loop } = context.store.getState();
  if (code === undefined) {
    if (!loop) showCode(context, context.loops.kept() ?? FIRST_LOOP);
    return;
  }
  if (loop?.packed === code && loop.name === loopName(name)) return;
  try {
    const text = await context.loops.unpack(code, LOOP_LIMITS.code);
    showCode(context, { name: loopName(name), code: text });
  } catch {
    showCode(context, loop ?? context.loops.kept() ?? FIRST_LOOP);
    notify(context, {
      tone: "note",
      kind: "link",
      text: "The code of the link cannot be read: was the link cut short?",
    });
  }
}

/** Changes the name or the code, saves them in this browser, and prepares the link. */
export function editLoop(context: Context, part: Partial<LoopCode>): void {
  const { loop = FIRST_LOOP } = context.store.getState();
  const next = { name: loop.name, code: loop.code, ...part };
  context.loops.keep(next);
  showCode(context, next);
}

/** Shows this code on the screen Loop, without saving it. */
export function showCode(context: Context, { name, code }: LoopCode): void {
  const { loop } = context.store.getState();
  const isSame = loop?.code === code;
  const packed = isSame ? loop.packed : undefined;
  const isTooLong = isSame && loop.isTooLong;
  set(context, { loop: { name, code, packed, isTooLong, run: loop?.run } });
  if (isSame) return;
  void context.loops.pack(code).then((word) => {
    const now = context.store.getState().loop;
    if (now?.code !== code) return;
    const fits = word.length <= LINK_MOST;
    set(context, {
      loop: { ...now, packed: fits ? word : undefined, isTooLong: !fits },
    });
  });
}

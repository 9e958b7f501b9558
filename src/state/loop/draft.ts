/** The programs of the screen: those of a link, of this browser, examples, and pairs. */
import { LOOP_EXAMPLES, partnerOf } from "../../model/loop/examples";
import { LOOP_LIMITS, loopName } from "../../model/loop/loop";
import type {
  LoopCode,
  LoopProgram,
  LoopPrograms,
  LoopSlot,
} from "../../model/loop/loop";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { notify } from "../notices";
import { endRun, runLoop } from "./actions";
import { editLoop, keepAll, pack } from "./edit";
import { letGo } from "./engines";
import { SLOTS, WHOLE } from "./programs";

export type LoopLink = Pick<Permalink, "code" | "loop" | "code2" | "loop2">;

/** Fills the screen with the programs of a link, or else with those that the user wrote last. */
export async function showLoop(
  context: Context,
  { code, loop: name = "", code2, loop2: name2 = "" }: LoopLink = {},
): Promise<void> {
  const { loop } = context.store.getState();
  if (code === undefined) {
    if (!loop) showPrograms(context, own(context));
    return;
  }
  const wanted = [
    { packed: code, name: loopName(name) },
    ...(code2 === undefined ? [] : [{ packed: code2, name: loopName(name2) }]),
  ];
  const isShown =
    loop?.programs.length === wanted.length &&
    wanted.every(({ packed, name }, at) => {
      const program = loop.programs[at];
      return program?.packed === packed && program.name === name;
    });
  if (isShown) return;
  try {
    const codes = await Promise.all(
      wanted.map(async ({ packed, name }) => ({
        name,
        code: await context.loops.unpack(packed, LOOP_LIMITS.code),
      })),
    );
    showPrograms(context, codes, true);
  } catch {
    if (!loop) showPrograms(context, own(context));
    notify(context, {
      tone: "note",
      kind: "link",
      text: "The code of the link cannot be read: was the link cut short?",
    });
  }
}

/** What the user wrote in this browser, or the first example. */
function own({ loops }: Context): readonly LoopCode[] {
  const kept = loops.kept();
  return kept.length > 0 ? kept : LOOP_EXAMPLES.slice(0, 1);
}

/** Replaces all programs; code from a link runs at once only if it is an example, or the user's own. */
export function showPrograms(
  context: Context,
  codes: readonly LoopCode[],
  isLinked = false,
): void {
  for (const slot of SLOTS) endRun(context, slot);
  const { loop } = context.store.getState();
  const known = [...LOOP_EXAMPLES, ...context.loops.kept()];
  const isForeign = ({ code }: LoopCode) =>
    isLinked && !known.some((other) => other.code === code);
  const [first, second] = codes.map((each, at) => ({
    ...fresh(
      each,
      loop?.programs.find(({ code }) => code === each.code),
    ),
    waits: isForeign(each) ? ("reader" as const) : ("screen" as const),
    // The pictures of the previous program stay, marked as such, until the new one has run.
    shown: loop?.programs[at]?.shown,
  }));
  if (!first) return;
  const programs: LoopPrograms = second ? [first, second] : [first];
  if (!second) letGo(context, 1);
  set(context, { loop: { ...WHOLE, programs } });
  for (const slot of SLOTS) pack(context, slot);
}

function fresh(
  { name, code }: LoopCode,
  same: LoopProgram | undefined,
): LoopProgram {
  return {
    name,
    code,
    packed: same?.packed,
    isTooLong: same?.isTooLong ?? false,
    waits: undefined,
    run: undefined,
    shown: undefined,
    tried: undefined,
  };
}

/** Runs an example in the place of a program. */
export async function openExample(
  context: Context,
  slot: LoopSlot,
  { name, code }: LoopCode,
): Promise<void> {
  editLoop(context, slot, { name, code });
  await runLoop(context, slot);
}

/** Shows two programs next to each other. */
export function showPair(context: Context, pair: readonly LoopCode[]): void {
  showPrograms(context, pair);
  keepAll(context);
}

/** Adds a second program: that which an example is compared with, or a copy of the first, to change. */
export function addProgram(context: Context): void {
  const { loop } = context.store.getState();
  if (!loop || loop.programs.length > 1) return;
  const [first] = loop.programs;
  const partner = partnerOf(first.code);
  const second: LoopProgram = partner
    ? { ...fresh(partner, undefined), waits: "screen" }
    : { ...fresh(first, first), name: `${first.name} 2` };
  set(context, { loop: { ...loop, programs: [first, second] } });
  keepAll(context);
  pack(context, 1);
}

/** Ends the comparison; the other program stays, with its pictures. */
export function removeProgram(context: Context): void {
  const { loop } = context.store.getState();
  if (!loop) return;
  endRun(context, 1);
  letGo(context, 1);
  set(context, { loop: { ...loop, programs: [loop.programs[0]] } });
  keepAll(context);
}

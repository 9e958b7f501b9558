/** The programs of the screen: those of a link, of this browser, examples, and pairs. */
import { SCRIPT_EXAMPLES, partnerOf } from "../../model/code/scriptExamples";
import { SCRIPT_LIMITS, programName } from "../../model/code/code";
import type {
  ProgramText,
  CodeProgram,
  CodePrograms,
  ProgramSlot,
} from "../../model/code/code";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { notify } from "../notices";
import { endRun, runProgram } from "./actions";
import { editProgram, keepAll, pack } from "./edit";
import { letGo } from "./engines";
import { SLOTS, WHOLE } from "./programs";

export type CodeLink = Pick<
  Permalink,
  "program" | "code" | "program2" | "code2"
>;

/** Fills the screen with the programs of a link, or else with those that the user wrote last. */
export async function showCode(
  context: Context,
  { code, program: name = "", code2, program2: name2 = "" }: CodeLink = {},
): Promise<void> {
  const { codeScreen } = context.store.getState();
  if (code === undefined) {
    if (!codeScreen) showPrograms(context, own(context));
    return;
  }
  const wanted = [
    { packed: code, name: programName(name) },
    ...(code2 === undefined
      ? []
      : [{ packed: code2, name: programName(name2) }]),
  ];
  const isShown =
    codeScreen?.programs.length === wanted.length &&
    wanted.every(({ packed, name }, at) => {
      const program = codeScreen.programs[at];
      return program?.packed === packed && program.name === name;
    });
  if (isShown) return;
  try {
    const codes = await Promise.all(
      wanted.map(async ({ packed, name }) => ({
        name,
        code: await context.codeService.unpack(packed, SCRIPT_LIMITS.code),
      })),
    );
    showPrograms(context, codes, true);
  } catch {
    if (!codeScreen) showPrograms(context, own(context));
    notify(context, {
      tone: "note",
      kind: "link",
      text: "The code of the link cannot be read: was the link cut short?",
    });
  }
}

/** What the user wrote in this browser, or the first example. */
function own({ codeService }: Context): readonly ProgramText[] {
  const kept = codeService.kept();
  return kept.length > 0 ? kept : SCRIPT_EXAMPLES.slice(0, 1);
}

/** Replaces all programs; code from a link runs at once only if it is an example, or the user's own. */
export function showPrograms(
  context: Context,
  codes: readonly ProgramText[],
  isLinked = false,
): void {
  for (const slot of SLOTS) endRun(context, slot);
  const { codeScreen } = context.store.getState();
  const known = [...SCRIPT_EXAMPLES, ...context.codeService.kept()];
  const isForeign = ({ code }: ProgramText) =>
    isLinked && !known.some((other) => other.code === code);
  const [first, second] = codes.map((each, at) => ({
    ...fresh(
      each,
      codeScreen?.programs.find(({ code }) => code === each.code),
    ),
    waits: isForeign(each) ? ("reader" as const) : ("screen" as const),
    // The pictures of the previous program stay, marked as such, until the new one has run.
    shown: codeScreen?.programs[at]?.shown,
  }));
  if (!first) return;
  const programs: CodePrograms = second ? [first, second] : [first];
  if (!second) letGo(context, 1);
  set(context, { codeScreen: { ...WHOLE, programs } });
  for (const slot of SLOTS) pack(context, slot);
}

function fresh(
  { name, code }: ProgramText,
  same: CodeProgram | undefined,
): CodeProgram {
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
  slot: ProgramSlot,
  { name, code }: ProgramText,
): Promise<void> {
  editProgram(context, slot, { name, code });
  await runProgram(context, slot);
}

/** Shows two programs next to each other. */
export function showPair(context: Context, pair: readonly ProgramText[]): void {
  showPrograms(context, pair);
  keepAll(context);
}

/** Adds a second program: that which an example is compared with, or a copy of the first, to change. */
export function addProgram(context: Context): void {
  const { codeScreen } = context.store.getState();
  if (!codeScreen || codeScreen.programs.length > 1) return;
  const [first] = codeScreen.programs;
  const partner = partnerOf(first.code);
  const second: CodeProgram = partner
    ? { ...fresh(partner, undefined), waits: "screen" }
    : { ...fresh(first, first), name: `${first.name} 2` };
  set(context, { codeScreen: { ...codeScreen, programs: [first, second] } });
  keepAll(context);
  pack(context, 1);
}

/** Ends the comparison; the other program stays, with its pictures. */
export function removeProgram(context: Context): void {
  const { codeScreen } = context.store.getState();
  if (!codeScreen) return;
  endRun(context, 1);
  letGo(context, 1);
  set(context, {
    codeScreen: { ...codeScreen, programs: [codeScreen.programs[0]] },
  });
  keepAll(context);
}

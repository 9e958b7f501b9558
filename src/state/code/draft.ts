/** The programs of the screen: those of a link, of this browser, examples, and pairs. */
import { EXAMPLES, partnerOf } from "../../model/code/examples";
import { SCRIPT_LIMITS, programName } from "../../model/code/code";
import type {
  ProgramText,
  CodeProgram,
  CodePrograms,
  Draft,
  ProgramSlot,
} from "../../model/code/code";
import type { Permalink } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import { notify } from "../notices";
import { endRun, runProgram } from "./actions";
import { editProgram, keepAll, pack } from "./edit";
import { languageOf, readBuild } from "../../model/code/build";
import { writeBuild } from "../../model/code/writeBuild";
import type { CodeExample } from "../../model/code/scriptExamples";
import type { CodeLanguage } from "../../model/code/build";
import { loadCompiler, lookForCompiler } from "./built";
import { letGo } from "./engines";
import { patchProgram, programOf, SLOTS, WHOLE } from "./programs";

export type CodeLink = Pick<
  Permalink,
  "program" | "code" | "build" | "program2" | "code2" | "build2"
>;

/** Fills the screen with the programs of a link, or else with those that the user wrote last. */
export async function showCode(
  context: Context,
  {
    code,
    build,
    program: name = "",
    code2,
    build2,
    program2: name2 = "",
  }: CodeLink = {},
): Promise<void> {
  const { codeScreen } = context.store.getState();
  if (code === undefined) {
    if (!codeScreen) showPrograms(context, own(context));
    return;
  }
  const wanted = [
    { packed: code, name: programName(name), build },
    ...(code2 === undefined
      ? []
      : [{ packed: code2, name: programName(name2), build: build2 }]),
  ];
  const isShown =
    codeScreen?.programs.length === wanted.length &&
    wanted.every(({ packed, name, build }, at) => {
      const program = codeScreen.programs[at];
      return (
        program?.packed === packed &&
        program.name === name &&
        (program.build && writeBuild(program.build)) === build
      );
    });
  if (isShown) return;
  try {
    const codes = await Promise.all(
      wanted.map(async ({ packed, name, build }) => ({
        name,
        build: build === undefined ? undefined : readBuild(build),
        code: await context.codeService.unpack(packed, SCRIPT_LIMITS.code),
      })),
    );
    showPrograms(context, codes, true);
  } catch (thrown) {
    if (!codeScreen) showPrograms(context, own(context));
    const { message } = thrown as Error;
    const why = message.startsWith("“") ? message : "was the link cut short?";
    notify(context, {
      tone: "note",
      kind: "link",
      text: `The code of the link cannot be read: ${why}`,
    });
  }
}

/** What the user wrote in this browser, or the first example. */
function own({ codeService }: Context): readonly ProgramText[] {
  const kept = codeService.kept();
  return kept.length > 0 ? kept : EXAMPLES.slice(0, 1);
}

/** Replaces all programs; code from a link runs at once only if it is an example, or the user's own. */
export function showPrograms(
  context: Context,
  codes: readonly ProgramText[],
  isLinked = false,
): void {
  for (const slot of SLOTS) endRun(context, slot);
  const { codeScreen } = context.store.getState();
  const known: readonly ProgramText[] = [
    ...EXAMPLES,
    ...context.codeService.kept(),
  ];
  const isForeign = ({ code }: ProgramText) =>
    isLinked && !known.some((other) => other.code === code);
  // A compiled program of a link never runs by itself, and none downloads the compiler.
  const waitOf = (each: ProgramText): CodeProgram["waits"] =>
    isForeign(each) || (each.build && isLinked)
      ? "reader"
      : each.build && codeScreen?.compiler?.status !== "kept"
        ? undefined
        : "screen";
  const [first, second] = codes.map((each, at) => ({
    ...fresh(
      each,
      codeScreen?.programs.find(({ code }) => code === each.code),
    ),
    waits: waitOf(each),
    // The pictures of the previous program stay, marked as such, until the new one has run.
    shown: codeScreen?.programs[at]?.shown,
  }));
  if (!first) return;
  const programs: CodePrograms = second ? [first, second] : [first];
  if (!second) letGo(context, 1);
  const compiler = codeScreen?.compiler;
  set(context, { codeScreen: { ...WHOLE, programs, compiler } });
  if (programs.some(({ build }) => build)) void lookForCompiler(context);
  for (const slot of SLOTS) pack(context, slot);
}

function fresh(
  { name, code, build }: ProgramText,
  same: CodeProgram | undefined,
): CodeProgram {
  return {
    name,
    code,
    build,
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
  { name, code, build }: ProgramText,
): Promise<void> {
  editProgram(context, slot, { name, code, build });
  // The download of the compiler is shown first.
  if (build) await loadCompiler(context);
  const { codeScreen } = context.store.getState();
  if (!build || codeScreen?.compiler?.status === "kept")
    await runProgram(context, slot);
}

/** Shows two programs next to each other, and runs them. The download of the compiler is shown first. */
export async function showPair(
  context: Context,
  pair: readonly ProgramText[],
): Promise<void> {
  showPrograms(context, pair);
  keepAll(context);
  const isKept = () =>
    context.store.getState().codeScreen?.compiler?.status === "kept";
  // Scripts, and programs whose compiler is there, wait for the screen already.
  if (isKept() || !pair.some(({ build }) => build)) return;
  await loadCompiler(context);
  if (!isKept()) return;
  for (const slot of SLOTS) {
    const program = programOf(context, slot);
    const isSame = program?.code === pair[slot]?.code;
    if (isSame && !program?.run)
      patchProgram(context, slot, { waits: "screen" });
  }
}

/**
 * Adds a second program: the chosen example, or that which an example is compared with, or a copy of the first, to
 * change.
 */
export function addProgram(context: Context, chosen?: CodeExample): void {
  const { codeScreen } = context.store.getState();
  if (!codeScreen || codeScreen.programs.length > 1) return;
  const [first] = codeScreen.programs;
  const partner = chosen ?? partnerOf(first);
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

/** The program written last in a language, or its first example. C++ has no examples, and begins with that of C. */
function draftOf(context: Context, language: CodeLanguage): Draft | undefined {
  const draft = context.drafts.get(language);
  if (draft) return draft;
  const first = EXAMPLES.find((each) => languageOf(each.build) === language);
  if (first) return { ...first, waits: undefined };
  const other = language === "c++" ? draftOf(context, "c") : undefined;
  return (
    other?.build && { ...other, build: { ...other.build, language: "c++" } }
  );
}

/** Changes the language of a program, and runs it. */
export async function chooseLanguage(
  context: Context,
  slot: ProgramSlot,
  language: CodeLanguage,
): Promise<void> {
  const program = programOf(context, slot);
  if (!program) return;
  const { name, code, build, waits } = program;
  const before = languageOf(build);
  if (before === language) return;
  context.drafts.set(before, { name, code, build, waits });
  const isOfC = before !== "javascript" && language !== "javascript";
  // C++ takes over what is written in C.
  const next: Draft | undefined =
    isOfC && build
      ? { name, code, build: { ...build, language }, waits }
      : draftOf(context, language);
  if (!next) return;
  endRun(context, slot);
  editProgram(context, slot, {
    name: next.name,
    code: next.code,
    build: next.build,
  });
  // Code of a link still waits for its reader.
  const isForeign = next.waits === "reader";
  patchProgram(context, slot, { waits: isForeign ? "reader" : undefined });
  if (next.build) await loadCompiler(context);
  const { codeScreen } = context.store.getState();
  const isReady = !next.build || codeScreen?.compiler?.status === "kept";
  const isSame = programOf(context, slot)?.code === next.code;
  if (!isForeign && isReady && isSame) await runProgram(context, slot);
}

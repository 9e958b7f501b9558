/** Makes an exercise from the replay: its trace, its machine, its link, and a preview with the answers. */
import type { Engine } from "../../engine/calls";
import type { Ask } from "../../engine/generated/Ask";
import type { Asked } from "../../engine/generated/Asked";
import type { ExerciseView } from "../../engine/generated/ExerciseView";
import type { MachineView } from "../../engine/generated/MachineView";
import { EngineError } from "../../engine/engine";
import { MAX_LINK, MAX_TEXT } from "../../engine/generated/exerciseRules";
import { exerciseOf, exerciseText } from "../../model/exercise/draft";
import type { Draft, Subject } from "../../model/exercise/draft";
import type { ExerciseTrace } from "../../model/exercise/file";
import { askKey, askName } from "../../model/exercise/kinds";
import {
  compactLines,
  FILE_ACCESSES,
  LINK_ACCESSES,
  MOST_ACCESSES,
} from "../../model/exercise/lines";
import { bytesOf, exerciseData, studentLink } from "../../model/exercise/link";
import { SCRIPT_LIMITS } from "../../model/code/code";
import { readCarried } from "../../model/permalink/carried";
import { count, counted } from "../../model/shared/format";
import { same } from "../../model/shared/mergePatch";
import { modelOf } from "../config/configurations";
import type { Context } from "../context";
import type { AppState } from "../store";
import { withExercise } from "./session";

/** A question of a student, with its answer. */
export interface Solved extends Asked {
  readonly answer: string;
}

export interface Made {
  /** The exercise as JSON. */
  readonly text: string;
  /** The exercise in a link; missing if it is too long. */
  readonly data?: string;
  /** The length of the part of the link after `#`. */
  readonly length: number;
  /** Why there is no link, as a sentence. */
  readonly noLink?: string;
  /** What the exercise does not hold of the trace. */
  readonly lost: readonly string[];
  readonly view: ExerciseView;
  readonly machine: MachineView;
  /** The questions of the name. */
  readonly questions: readonly Solved[];
}

/** The replay as the subject of questions; `undefined` before it has run. */
export function subjectOf(state: AppState): Subject | undefined {
  const { configuration, cursor, trace } = state;
  if (!configuration || !trace || trace.n_accesses === 0) return undefined;
  const { cpu, setup } = configuration;
  const model = modelOf(state, cpu);
  const { machine, os, cores = "one" } = setup;
  return model && { cpu, model, machine, os, cores, at: cursor };
}

/** Returns the keys of the questions that make sense at the shown access. */
export async function askable(
  { engine, store }: Context,
  asks: readonly Ask[],
): Promise<ReadonlySet<string>> {
  const { cursor: at } = store.getState();
  const good = new Set<string>();
  for (const ask of asks)
    await engine.call("ask", { at, ask, seed: 0 }).then(
      () => good.add(askKey(ask)),
      (thrown: unknown) => {
        // Other errors are none of the question.
        if (!(thrown instanceof EngineError)) throw thrown;
      },
    );
  return good;
}

/** Throws an `EngineError` if the exercise cannot be made. */
export async function makeExercise(
  context: Context,
  draft: Draft,
  name: string,
): Promise<Made> {
  const subject = subjectOf(context.store.getState());
  if (!subject)
    throw new EngineError("bad-trace", "No trace is open in Replay.");
  const { trace, lost, accesses } = await traceOf(context);
  const text = exerciseText(exerciseOf(draft, subject, trace));
  const made = await withExercise(
    context,
    text,
    async ({ engine, view, machine }) => {
      const isSame =
        same(view.machine, subject.machine) && same(view.os, subject.os);
      if (!isSame)
        throw new EngineError(
          "bad-config",
          "The exercise would have another machine than Replay. Reset the machine or its mapping, and change it again.",
        );
      return { view, machine, questions: await solved(engine, text, name) };
    },
  ).catch((thrown: unknown) => {
    throw tooFew(thrown, draft);
  });
  const data = exerciseData(await context.codeService.pack(text));
  const { length } = studentLink(data);
  const noLink = whyNoLink({
    length,
    bytes: bytesOf(text),
    accesses: "lines" in trace ? accesses : 0,
  });
  return {
    text,
    ...(noLink === undefined ? { data } : { noLink }),
    length,
    lost,
    ...made,
  };
}

/** Says in the words of the dialog that a question makes sense at too few accesses. */
function tooFew(thrown: unknown, { asks, n }: Draft): unknown {
  if (!(thrown instanceof EngineError)) return thrown;
  const { message, at, code } = thrown;
  const field = at && "field" in at ? at.field : "";
  const ask = asks[Number(/^questions\[(\d+)\]/.exec(field)?.[1])];
  const [, found] = /makes sense at (\d+) of/.exec(message) ?? [];
  if (!ask || found === undefined) return thrown;
  return new EngineError(
    code,
    `“${askName(ask)}” makes sense at ${counted(Number(found), "access", "accesses")} of these, not at ${count(n)}. Ask about fewer, or choose among others.`,
  );
}

function whyNoLink({
  length,
  bytes,
  accesses,
}: {
  readonly length: number;
  readonly bytes: number;
  /** Those that the exercise has as lines. */
  readonly accesses: number;
}): string | undefined {
  if (bytes > MAX_TEXT)
    return `The exercise has ${counted(bytes, "byte")}, and a link holds ${count(MAX_TEXT)}. Hand out the file.`;
  if (accesses > LINK_ACCESSES)
    return `A link holds at most ${count(LINK_ACCESSES)} accesses of a file of your own; this trace has ${count(accesses)}. Hand out the file.`;
  if (length > MAX_LINK)
    return `The link would have ${counted(length, "character")}, and ${count(MAX_LINK)} are the limit. Hand out the file.`;
  return undefined;
}

/** The questions of a name, with their answers. */
export async function solved(
  engine: Engine,
  text: string,
  name: string,
): Promise<readonly Solved[]> {
  const questions: Solved[] = [];
  for (const asked of await engine.call("exerciseQuestions", { text, name })) {
    const { at, ask } = asked.posed;
    const { answer } = await engine.call("answer", { at, ask, given: "" });
    questions.push({ ...asked, answer });
  }
  return questions;
}

interface Taken {
  readonly trace: ExerciseTrace;
  readonly lost: readonly string[];
  readonly accesses: number;
}

/** The open trace: named or made again where that is possible, otherwise as lines. */
async function traceOf(context: Context): Promise<Taken> {
  const { trace, builtIn, workload, carried } = context.store.getState();
  const accesses = trace?.n_accesses ?? 0;
  if (accesses > MOST_ACCESSES)
    throw new EngineError(
      "too-large",
      `An exercise has at most ${count(MOST_ACCESSES)} accesses, and this trace has ${count(accesses)}. Take a shorter one.`,
    );
  if (workload) {
    const { id, params } = workload;
    return { trace: { workload: { id, params } }, lost: [], accesses };
  }
  if (builtIn !== undefined && trace?.samples === undefined)
    return { trace: { example: builtIn }, lost: [], accesses };
  if (trace?.import.format === "loop" && carried?.data !== undefined) {
    const { word } = readCarried(carried.data);
    const code = await context.codeService.unpack(word, SCRIPT_LIMITS.code);
    return { trace: { code }, lost: [], accesses };
  }
  if (accesses > FILE_ACCESSES)
    throw new EngineError(
      "too-large",
      `An exercise holds at most ${count(FILE_ACCESSES)} accesses of a file; this trace has ${count(accesses)}. Import a part of it.`,
    );
  const { file, lost } = await context.engine.start("export", {
    format: "csv",
  });
  const compact = compactLines(await file.text());
  const missing = lost.map(({ what, count: n }) =>
    n > 1 ? `${what} (${count(n)})` : what,
  );
  return {
    trace: { lines: compact.lines },
    lost: [...new Set([...missing, ...compact.lost])],
    accesses,
  };
}

export function makeActions(context: Context) {
  return {
    subject: () => subjectOf(context.store.getState()),
    askable: (asks: readonly Ask[]) => askable(context, asks),
    make: (draft: Draft, name: string) => makeExercise(context, draft, name),
  };
}

export type MakeActions = ReturnType<typeof makeActions>;

/** The engine of exercises, with the exercise that it has open. The trace in the replay stays as it is. */
import type { Engine } from "../../engine/calls";
import { EngineError } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import type { ExerciseView } from "../../engine/generated/ExerciseView";
import { exerciseLesson } from "../../model/exercise/lesson";
import type { Context } from "../context";
import { createQueue } from "../learn/queue";
import type { Queue } from "../learn/queue";
import { lessonSource } from "../learn/run";
import { runLesson } from "../learn/simulate";
import type { Loaded } from "../learn/simulate";

interface Session {
  engine: Engine | undefined;
  readonly queue: Queue;
  /** The exercise that is open, and its text. */
  opened:
    { readonly text: string; readonly exercise: OpenExercise } | undefined;
  /** The trace and the machine that the engine has; other questions about them need no new run. */
  scene: { readonly key: string; readonly loaded: Loaded } | undefined;
}

export interface OpenExercise extends Loaded {
  readonly engine: Engine;
  readonly view: ExerciseView;
}

const sessions = new WeakMap<Context, Session>();

function sessionOf(context: Context): Session {
  let session = sessions.get(context);
  if (!session) {
    session = {
      engine: undefined,
      queue: createQueue(),
      opened: undefined,
      scene: undefined,
    };
    sessions.set(context, session);
  }
  return session;
}

/** The engine for calls that need no trace. */
export function exerciseEngine(context: Context): Engine {
  return (sessionOf(context).engine ??= context.sideEngine());
}

/**
 * Does work on the engine while the exercise is open there. If another exercise is open, the trace is made and run
 * first. Work waits for earlier work.
 */
export function withExercise<T>(
  context: Context,
  text: string,
  work: (exercise: OpenExercise) => Promise<T>,
): Promise<T> {
  const session = sessionOf(context);
  return session.queue(async () => {
    try {
      return await work(await open(context, session, text));
    } catch (thrown) {
      if (thrown instanceof EngineError && isFatal(thrown)) letGo(session);
      throw thrown;
    }
  });
}

async function open(
  context: Context,
  session: Session,
  text: string,
): Promise<OpenExercise> {
  if (session.opened?.text === text) return session.opened.exercise;
  const engine = exerciseEngine(context);
  const view = await engine.call("exercise", { text });
  const key = sceneKey(text);
  if (session.scene?.key !== key) {
    session.opened = undefined;
    session.scene = undefined;
    session.scene = { key, loaded: await load(context, engine, view) };
  }
  const exercise = { ...session.scene.loaded, engine, view };
  session.opened = { text, exercise };
  return exercise;
}

async function load(
  context: Context,
  engine: Engine,
  view: ExerciseView,
): Promise<Loaded> {
  const lesson = exerciseLesson(view);
  const { machine, os, cores } = view;
  const setup = { machine, os, ...(cores && { cores }) };
  // The command line reads lines under this name, too.
  const source = await lessonSource(lesson, "lines.txt", context);
  return runLesson(context, engine, lesson, setup, source);
}

/** The parts of an exercise that its run depends on. */
function sceneKey(text: string): string {
  // The engine has read the text as an exercise.
  const { cpu, machine, os, cores, trace, locked } = JSON.parse(
    text,
  ) as Readonly<Record<string, unknown>>;
  return JSON.stringify([cpu, machine, os, cores, trace, locked]);
}

function letGo(session: Session): void {
  session.engine?.dispose();
  session.engine = undefined;
  session.opened = undefined;
  session.scene = undefined;
}

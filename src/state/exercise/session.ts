/** The engine of exercises, with the exercise that it has open. The trace in the replay stays as it is. */
import type { Engine } from "../../engine/calls";
import { isFatal } from "../../engine/errors";
import type { ExerciseView } from "../../engine/generated/ExerciseView";
import { exerciseLesson } from "../../model/exercise/lesson";
import type { Context } from "../context";
import { lessonSource } from "../learn/run";
import { runLesson } from "../learn/simulate";
import type { Loaded } from "../learn/simulate";
import { engineError } from "../notices";

interface Session {
  engine: Engine | undefined;
  /** The exercise that is open. */
  text: string | undefined;
  opened: Promise<OpenExercise> | undefined;
  /** The trace and the machine that the engine has; other questions about them need no new run. */
  scene: string | undefined;
  loaded: Promise<Loaded> | undefined;
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
      text: undefined,
      opened: undefined,
      scene: undefined,
      loaded: undefined,
    };
    sessions.set(context, session);
  }
  return session;
}

/** Reads and checks an exercise, without its trace. */
export function readExercise(
  context: Context,
  text: string,
): Promise<ExerciseView> {
  const session = sessionOf(context);
  session.engine ??= context.sideEngine();
  return session.engine.call("exercise", { text });
}

/** Makes the trace of the exercise, and runs it on its machine; once, as long as no other exercise is opened. */
export function openExercise(
  context: Context,
  text: string,
): Promise<OpenExercise> {
  const session = sessionOf(context);
  if (session.opened && session.text === text) return session.opened;
  const opened = run(context, session, text);
  session.text = text;
  session.opened = opened;
  opened.catch((thrown: unknown) => {
    if (session.opened !== opened) return;
    session.opened = undefined;
    session.loaded = undefined;
    if (isFatal(engineError(thrown))) letGo(session);
  });
  return opened;
}

async function run(
  context: Context,
  session: Session,
  text: string,
): Promise<OpenExercise> {
  const engine = (session.engine ??= context.sideEngine());
  const view = await engine.call("exercise", { text });
  const scene = sceneOf(text);
  if (!session.loaded || session.scene !== scene) {
    session.scene = scene;
    session.loaded = load(context, engine, view);
  }
  return { ...(await session.loaded), engine, view };
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
function sceneOf(text: string): string {
  // The engine has read the text as an exercise.
  const { cpu, machine, os, cores, trace, locked } = JSON.parse(
    text,
  ) as Readonly<Record<string, unknown>>;
  return JSON.stringify([cpu, machine, os, cores, trace, locked]);
}

function letGo(session: Session): void {
  session.engine?.dispose();
  session.engine = undefined;
}

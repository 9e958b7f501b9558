/** The engine of the lessons, with the lesson that it has. */
import type { Engine } from "../../engine/calls";
import { EngineError } from "../../engine/engine";
import { isFatal } from "../../engine/errors";
import type { Language } from "../../model/texts/language";
import type { Context } from "../context";
import { createQueue } from "./queue";
import type { Queue } from "./queue";
import type { LearnService } from "./service";
import { simulate } from "./simulate";
import type { Loaded } from "./simulate";
import type { LessonEntry } from "./state";

export interface Session {
  readonly service: LearnService;
  /** The language that was asked for last. */
  language: Language;
  engine: Engine | undefined;
  readonly queue: Queue;
  lesson: { readonly id: string; readonly loaded: Loaded } | undefined;
}

const sessions = new WeakMap<Context, Promise<Session>>();

export function sessionOf(context: Context): Promise<Session> {
  let session = sessions.get(context);
  if (!session) {
    session = context.learn().then((service) => ({
      service,
      language: service.language(),
      engine: undefined,
      queue: createQueue(),
      lesson: undefined,
    }));
    sessions.set(context, session);
  }
  return session;
}

export interface OpenLesson extends Loaded {
  readonly engine: Engine;
}

/** Does work on the engine while it has the lesson, which is simulated first if necessary. Work waits for earlier work. */
export async function withLesson(
  context: Context,
  entry: LessonEntry,
  work: (lesson: OpenLesson) => Promise<void>,
): Promise<void> {
  const session = await sessionOf(context);
  return session.queue(async () => {
    const engine = (session.engine ??= context.sideEngine());
    try {
      await work({ ...(await load(context, session, engine, entry)), engine });
    } catch (thrown) {
      // Another step may be right; another try starts with a new engine.
      session.lesson = undefined;
      if (thrown instanceof EngineError && isFatal(thrown)) {
        engine.dispose();
        session.engine = undefined;
      }
      throw thrown;
    }
  });
}

async function load(
  context: Context,
  session: Session,
  engine: Engine,
  entry: LessonEntry,
): Promise<Loaded> {
  const { id } = entry.lesson;
  if (session.lesson?.id !== id) {
    session.lesson = undefined;
    session.lesson = { id, loaded: await simulate(context, engine, entry) };
  }
  return session.lesson.loaded;
}

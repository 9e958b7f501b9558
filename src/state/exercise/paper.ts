/** The questions of names for sheets on paper, with what the pictures would show. */
import type { Posed } from "../../engine/generated/Posed";
import { arrayOf } from "../../model/exercise/kinds";
import { questionStep } from "../../model/exercise/lesson";
import type { KnownAccess } from "../../model/exercise/known";
import { spreadOf } from "../../model/exercise/spread";
import type { Spread } from "../../model/exercise/spread";
import { fitsPaper, pageFacts, setFacts } from "../../model/exercise/paper";
import { pictureOf } from "../../model/learn/picture";
import type { Context } from "../context";
import { sceneOf } from "../learn/run";
import { accessesUntil, pagesBefore } from "./known";
import { solved } from "./make";
import type { Solved } from "./make";
import { withExercise } from "./session";
import type { OpenExercise } from "./session";

export interface PaperQuestion extends Solved {
  /** What the question needs; missing if it needs the screen. */
  readonly facts: readonly string[] | undefined;
}

export interface Paper {
  readonly questions: readonly PaperQuestion[];
  /** The accesses that questions count; empty if none does. */
  readonly accesses: readonly KnownAccess[];
}

export function papersFor(
  context: Context,
  text: string,
  names: readonly string[],
): Promise<readonly Paper[]> {
  return withExercise(context, text, async (open) => {
    // Students share questions.
    const known = new Map<string, Promise<readonly string[]>>();
    const papers: Paper[] = [];
    for (const name of names) {
      const questions: PaperQuestion[] = [];
      for (const each of await solved(open.engine, text, name)) {
        const { ask, at } = each.posed;
        const key = JSON.stringify([ask, at]);
        const facts = known.get(key) ?? factsOf(open, each.posed);
        known.set(key, facts);
        const fits = fitsPaper(ask, at, open.machine);
        questions.push({ ...each, facts: fits ? await facts : undefined });
      }
      const counted = questions
        .filter(({ facts, posed }) => facts && posed.ask.kind === "number")
        .map(({ posed }) => posed.at);
      const accesses =
        counted.length === 0
          ? []
          : await accessesUntil(open, Math.max(...counted));
      papers.push({ questions, accesses });
    }
    return papers;
  });
}

/** How often each answer is right for a class, by question of the exercise. */
export function spreadFor(
  context: Context,
  text: string,
  names: readonly string[],
): Promise<readonly Spread[]> {
  return withExercise(context, text, async ({ engine }) => {
    const all: Solved[] = [];
    for (const name of names) all.push(...(await solved(engine, text, name)));
    return spreadOf(all);
  });
}

async function factsOf(
  open: OpenExercise,
  posed: Posed,
): Promise<readonly string[]> {
  const { kind } = posed.ask;
  if (kind !== "outcome" && kind !== "way" && kind !== "victim") return [];
  const { engine, machine, view } = open;
  const scene = await sceneOf(engine, machine, { at: posed.at });
  const step = questionStep({ question: 1, posed }, view, scene.step);
  const sets = setFacts(pictureOf(scene, step, false), arrayOf(posed.ask));
  if (kind !== "outcome") return sets;
  const { pages, others } = await pagesBefore(open, scene.step, view.os, false);
  return [...sets, pageFacts(pages, others)];
}

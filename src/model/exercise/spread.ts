/** How the right answers of a class spread: a question with one answer for all is easily copied. */
import type { Ask } from "../../engine/generated/Ask";

export interface Spread {
  readonly ask: Ask;
  /** The most frequent first. */
  readonly answers: readonly { readonly answer: string; readonly n: number }[];
}

interface Answered {
  readonly question: number;
  readonly posed: { readonly ask: Ask };
  readonly answer: string;
}

export function spreadOf(all: readonly Answered[]): readonly Spread[] {
  const questions = new Map<
    number,
    { ask: Ask; counts: Map<string, number> }
  >();
  for (const { question, posed, answer } of all) {
    const found = questions.get(question) ?? {
      ask: posed.ask,
      counts: new Map<string, number>(),
    };
    found.counts.set(answer, (found.counts.get(answer) ?? 0) + 1);
    questions.set(question, found);
  }
  return [...questions.values()].map(({ ask, counts }) => ({
    ask,
    answers: [...counts]
      .map(([answer, n]) => ({ answer, n }))
      .toSorted((a, b) => b.n - a.n),
  }));
}

/** What the fields of the editor know about each other: problems by path, and the model's values. */
import { createContext, useContext } from "react";
import type { CpuModel } from "../../engine/generated/CpuModel";
import type { Problem } from "./checks";
import { originOf } from "./origin";

export interface Fields {
  readonly problems: readonly Problem[];
  /** The model that is edited; `undefined` if the machine comes from nowhere. */
  readonly model: CpuModel | undefined;
}

export const FieldsContext = createContext<Fields>({
  problems: [],
  model: undefined,
});

/** Tells that what is typed into a field is no value yet; `null` when it is one again. */
export const TypedContext = createContext<
  (field: string, message: string | null) => void
>(() => undefined);

/** What is wrong at exactly this field. */
export function useProblem(path: string): Problem | undefined {
  const { problems } = useContext(FieldsContext);
  return problems.find(({ field }) => field === path);
}

/** What is wrong at a row: at one of its fields, or with the row itself. */
export function useProblemsWithin(path: string): readonly Problem[] {
  const { problems } = useContext(FieldsContext);
  return problems.filter(
    ({ field }) =>
      field === path ||
      field.startsWith(`${path}.`) ||
      field.startsWith(`${path}[`),
  );
}

/** `modelPath` is the path in the model, where rows may have other numbers. */
export function useOrigin(modelPath: string | undefined) {
  const { model } = useContext(FieldsContext);
  if (!model || modelPath === undefined) return undefined;
  return originOf(model, modelPath);
}

/** The id of the text that tells what is wrong at `path`. */
export function problemId(path: string): string {
  return `problem-${path.replaceAll(/[^\w]/g, "-")}`;
}

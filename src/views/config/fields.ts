/** What the editor's fields share: errors by path, and the model's values. */
import { createContext, useContext } from "react";
import type { CpuModel } from "../../engine/generated/CpuModel";
import { originOf } from "./origin";

export interface Problem {
  /** Path of the field as the core names it: `l1[0].ways`; empty if the error has no field. */
  readonly field: string;
  readonly message: string;
}

export interface Fields {
  readonly problems: readonly Problem[];
  /** The CPU model that the machine started from; `undefined` if there is none. */
  readonly model: CpuModel | undefined;
}

export const FieldsContext = createContext<Fields>({
  problems: [],
  model: undefined,
});

/** Reports the error of a field whose text is no value; `null` clears the error. */
export const TypedContext = createContext<
  (field: string, message: string | null) => void
>(() => undefined);

/** The error of exactly this field. */
export function useProblem(path: string): Problem | undefined {
  const { problems } = useContext(FieldsContext);
  return problems.find(({ field }) => field === path);
}

/** The errors of a row: of its fields, and of the row itself. */
export function useProblemsWithin(path: string): readonly Problem[] {
  const { problems } = useContext(FieldsContext);
  return problems.filter(
    ({ field }) =>
      field === path ||
      field.startsWith(`${path}.`) ||
      field.startsWith(`${path}[`),
  );
}

/** `modelPath` is the path in the model, where row numbers may differ. */
export function useOrigin(modelPath: string | undefined) {
  const { model } = useContext(FieldsContext);
  if (!model || modelPath === undefined) return undefined;
  return originOf(model, modelPath);
}

/** The id of the element with the error text for `path`. */
export function problemId(path: string): string {
  return `problem-${path.replaceAll(/[^\w]/g, "-")}`;
}

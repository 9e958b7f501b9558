/** Errors of texts that are no values. Such texts do not reach the draft. */
import { useCallback, useState } from "react";
import type { Problem } from "./fields";

export function useTyped() {
  const [typed, setTyped] = useState<readonly Problem[]>([]);
  const report = useCallback(
    (field: string, message: string | null) =>
      setTyped((old) => {
        const others = old.filter((problem) => problem.field !== field);
        if (message !== null) return [...others, { field, message }];
        return others.length === old.length ? old : others;
      }),
    [],
  );
  return [typed, report] as const;
}

import { useMemo } from "react";
import { exportStem } from "../../model/import/exportText";
import type { PageFacts } from "../../views/shared/picture/PageFacts";
import { addressOf } from "../browser/address";
import { useAppStore } from "../context";

/** What pictures that are saved take from the page: their names and its address. */
export function usePageFacts(): PageFacts {
  const store = useAppStore();
  return useMemo(
    () => ({
      name: () => {
        const { trace, configuration } = store.getState();
        const cpu = configuration?.cpu ?? "";
        return `${trace ? exportStem(trace.name) : ""} ${cpu}`;
      },
      link: () => addressOf(store.getState()),
    }),
    [store],
  );
}

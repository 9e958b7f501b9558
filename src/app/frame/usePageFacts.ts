import { useMemo } from "react";
import { exportStem } from "../../model/import/exportText";
import { pageAbout } from "../../state/pageAbout";
import type { PageFacts } from "../../views/shared/picture/PageFacts";
import { addressOf } from "../browser/address";
import { useAppStore } from "../context";

/** The facts of the page for saved pictures and tables. */
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
      about: () => ({
        ...pageAbout(store.getState()),
        "about.link": addressOf(store.getState()),
      }),
    }),
    [store],
  );
}

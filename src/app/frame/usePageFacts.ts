import { useMemo } from "react";
import { exportStem } from "../../model/import/exportStem";
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
      caption: async () => {
        const { screen, snapshot, machine, stale } = store.getState();
        if (screen !== "replay" || stale || !snapshot || !machine)
          return undefined;
        const { sentence } = await import("../../model/replay/sentence");
        const { kind, address } = snapshot.step.access;
        return {
          title: `${kind} ${address}`,
          text: sentence(snapshot, machine),
        };
      },
      about: () => ({
        ...pageAbout(store.getState()),
        "about.link": addressOf(store.getState()),
      }),
    }),
    [store],
  );
}

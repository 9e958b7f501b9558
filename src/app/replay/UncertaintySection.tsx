/** The interval of the run's cycles, simulated while the tab is open. */
import { Suspense, lazy } from "react";
import { useApp } from "../context";
import { useUncertainty } from "../shared/useUncertainty";

const UncertaintyTables = lazy(() =>
  import("../../views/totals/UncertaintyTables").then((module) => ({
    default: module.UncertaintyTables,
  })),
);

export function UncertaintySection() {
  const setup = useApp((state) => state.configuration?.setup);
  return (
    <Suspense>
      <UncertaintyTables {...useUncertainty(setup)} />
    </Suspense>
  );
}

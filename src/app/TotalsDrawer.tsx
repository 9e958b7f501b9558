import { Suspense, lazy, useEffect, useState } from "react";
import { Segmented } from "../views/shared/Segmented";
import { useActions, useApp } from "./context";
import { useIsPhone } from "./useMedia";

const TotalsPanel = lazy(() =>
  import("../views/totals/TotalsPanel").then((module) => ({
    default: module.TotalsPanel,
  })),
);

const AttributionTables = lazy(() =>
  import("../views/attribution/AttributionTables").then((module) => ({
    default: module.AttributionTables,
  })),
);

type Shown = "counters" | "breakdown";

const CHOICES = [
  { value: "counters", label: "Counters" },
  { value: "breakdown", label: "Breakdown" },
] as const;

/** The totals, and whose they are; loaded when they are opened for the first time. */
export function TotalsDrawer({ onClose }: { readonly onClose: () => void }) {
  const report = useApp((state) => state.report);
  const machine = useApp((state) => state.machine);
  const name = useApp((state) => state.trace?.name ?? "totals");
  const stale = useApp((state) => state.stale);
  const compact = useIsPhone();
  const [shown, setShown] = useState<Shown>("counters");
  if (!report || !machine) return null;
  return (
    <Suspense>
      <TotalsPanel
        report={report}
        machine={machine}
        name={name}
        stale={stale}
        compact={compact}
        choice={
          <Segmented
            label="Show"
            choices={CHOICES}
            value={shown}
            onChange={setShown}
          />
        }
        instead={shown === "breakdown" ? <Attribution /> : undefined}
        onClose={onClose}
      />
    </Suspense>
  );
}

function Attribution() {
  const attribution = useApp(({ attribution, report }) =>
    attribution?.report === report ? attribution : undefined,
  );
  const report = useApp((state) => state.report);
  const stale = useApp((state) => state.stale);
  const only = useApp(({ only, trace }) =>
    only && only.trace === trace ? only.filter : undefined,
  );
  const { attribute, showOnly } = useActions();
  // Another run is counted anew.
  useEffect(() => {
    void attribute();
  }, [attribute, report, stale]);
  return (
    <Suspense>
      <AttributionTables
        view={attribution?.view}
        progress={attribution?.progress}
        filter={only}
        onFilter={(filter) => void showOnly(filter)}
      />
    </Suspense>
  );
}

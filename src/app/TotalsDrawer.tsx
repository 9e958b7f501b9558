import { Suspense, lazy } from "react";
import { useApp } from "./context";
import { useIsPhone } from "./useMedia";

const TotalsPanel = lazy(() =>
  import("../views/totals/TotalsPanel").then((module) => ({
    default: module.TotalsPanel,
  })),
);

/** The totals, loaded when they are opened for the first time. */
export function TotalsDrawer({ onClose }: { readonly onClose: () => void }) {
  const report = useApp((state) => state.report);
  const machine = useApp((state) => state.machine);
  const name = useApp((state) => state.trace?.name ?? "totals");
  const stale = useApp((state) => state.stale);
  const compact = useIsPhone();
  if (!report || !machine) return null;
  return (
    <Suspense>
      <TotalsPanel
        report={report}
        machine={machine}
        name={name}
        stale={stale}
        compact={compact}
        onClose={onClose}
      />
    </Suspense>
  );
}

import { Suspense, lazy } from "react";
import { useChosen } from "../../views/shared/choices";
import { Segmented } from "../../views/shared/Segmented";
import { AttributionSection } from "./AttributionSection";
import { UncertaintySection } from "./UncertaintySection";
import { useApp } from "../context";
import { useIsPhone } from "../shared/useMedia";

const TotalsPanel = lazy(() =>
  import("../../views/totals/TotalsPanel").then((module) => ({
    default: module.TotalsPanel,
  })),
);

const CHOICES = [
  { value: "counters", label: "Counters" },
  { value: "breakdown", label: "Breakdown" },
  { value: "interval", label: "Interval" },
] as const;

/** What is shown in place of the counters. */
const INSTEAD = {
  counters: undefined,
  breakdown: <AttributionSection />,
  interval: <UncertaintySection />,
};

/** The totals and the misses by region, page and instruction; loaded when they are first opened. */
export interface TotalsDrawerProps {
  readonly onClose: () => void;
  readonly onCite: () => void;
}

export function TotalsDrawer({ onClose, onCite }: TotalsDrawerProps) {
  const report = useApp((state) => state.report);
  const machine = useApp((state) => state.machine);
  const name = useApp((state) => state.trace?.name ?? "totals");
  const stale = useApp((state) => state.stale);
  const compact = useIsPhone();
  // A chosen tab means that the drawer is open.
  const [chosen, setShown] = useChosen("totals");
  const shown =
    chosen === "breakdown" || chosen === "interval" ? chosen : "counters";
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
        instead={INSTEAD[shown]}
        onCite={onCite}
        onClose={onClose}
      />
    </Suspense>
  );
}

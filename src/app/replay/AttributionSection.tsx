/** Misses of the run by region, page and instruction, counted when the tab opens. */
import { Suspense, lazy, useEffect } from "react";
import { useActions, useApp } from "../context";

const AttributionTables = lazy(() =>
  import("../../views/attribution/AttributionTables").then((module) => ({
    default: module.AttributionTables,
  })),
);

export function AttributionSection() {
  const attribution = useApp(({ attribution, report }) =>
    attribution?.report === report ? attribution : undefined,
  );
  const report = useApp((state) => state.report);
  const stale = useApp((state) => state.stale);
  const only = useApp(({ only, trace }) =>
    only && only.trace === trace ? only.filter : undefined,
  );
  const { attribute, showOnly } = useActions();
  // The misses of another run must be counted again.
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

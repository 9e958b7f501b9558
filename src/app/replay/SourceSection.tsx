/** The source of the present access, connected with the store. */
import { useEffect } from "react";
import { SourceStrip } from "../../views/replay/SourceStrip";
import { useActions, useApp } from "../context";
import { useIsFull, useIsLow, useIsPhone } from "../shared/useMedia";

export function SourceSection() {
  const trace = useApp((state) => state.trace);
  const ip = useApp((state) => state.snapshot?.step.access.ip ?? undefined);
  const source = useApp((state) => state.source);
  const code = useApp((state) =>
    state.code?.trace === state.trace ? state.code?.text : undefined,
  );
  const { showSource, goToWalkOf } = useActions();
  useEffect(() => {
    if (ip !== undefined && trace) void showSource(ip);
  }, [showSource, ip, trace]);
  const isLow = useIsLow();
  const isFull = useIsFull();
  const isPhone = useIsPhone();
  // The line of the access before stays until the next one is known, so that playing does not flicker.
  const shown =
    source?.trace === trace && ip !== undefined ? source : undefined;
  const view = shown?.view;
  const around = isLow || isFull ? 0 : isPhone ? 1 : 3;
  return (
    <SourceStrip
      source={view}
      code={code}
      around={around}
      onLine={(line, direction) => {
        if (view) void goToWalkOf(view, line, direction);
      }}
    />
  );
}

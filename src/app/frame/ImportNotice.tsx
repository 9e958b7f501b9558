/**
 * The summary of an import: open for some seconds, or as long as the user reads it, then a button that opens it
 * again.
 */
import { lazy, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useActions, useApp } from "../context";
import { useMedia } from "../shared/useMedia";
import { Part } from "./Breakdown";
import { ImportButton } from "./ImportButton";

const ImportSummary = lazy(() =>
  import("../../views/import/ImportSummary").then((module) => ({
    default: module.ImportSummary,
  })),
);

/** How long the summary stays open, in milliseconds. */
export const OPEN_MS = 4000;

export interface ImportNoticeProps {
  /** Reopens the latest imported file to read it in another way. */
  readonly onAgain: () => void;
}

export function ImportNotice({ onAgain }: ImportNoticeProps) {
  const isInPage = useApp(({ screen }) => screen === "samples");
  const isReopening = useApp(
    (state) => state.draft?.name === state.trace?.name,
  );
  const trace = useApp((state) => state.trace);
  const isShown = useApp((state) => state.showsImport);
  const isFolded = useApp((state) => state.foldsImport);
  const isInTransport = useIsInTransport();
  const hasTotals = useApp(
    ({ choices, screen }) =>
      screen === "replay" && choices.replay?.["totals"] !== undefined,
  );
  const { foldImport, showImport, reportUnexpected } = useActions();
  // The summary would cover the drawer of the totals. It opens at a press.
  useEffect(() => {
    if (hasTotals) foldImport();
  }, [hasTotals, trace, foldImport]);
  if (!isShown || !trace) return null;
  if (isFolded && !isInPage)
    return isInTransport ? null : <ImportButton className="import-fold" />;
  const summary = (
    <ImportSummary
      trace={trace}
      isInPage={isInPage}
      onAgain={isReopening ? onAgain : undefined}
      onClose={() => showImport(false)}
    />
  );
  return (
    <Part onError={reportUnexpected}>
      {isInPage ? summary : <Folding>{summary}</Folding>}
    </Part>
  );
}

/** Folds its content after a while, but not while the pointer or the focus is inside. */
function Folding({ children }: { readonly children: ReactNode }) {
  const { foldImport } = useActions();
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isRead = isHovered || isFocused;
  useEffect(() => {
    if (isRead) return;
    const timer = setTimeout(foldImport, OPEN_MS);
    return () => clearTimeout(timer);
  }, [isRead, foldImport]);
  return (
    <div
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {children}
    </div>
  );
}

/** Whether the row of controls has the button; elsewhere it floats. */
function useIsInTransport(): boolean {
  const isReplay = useApp(({ screen }) => screen === "replay");
  const isWide = useMedia("(width >= 900px)");
  return isReplay && isWide;
}

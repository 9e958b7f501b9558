/**
 * A page to look at the timeline. It is served by Vite's dev server and is not part of the site:
 * `/tests/gallery/timeline.html`.
 */
import { StrictMode, useCallback, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import type { TimelineColumns } from "../../src/model/timeline/counts";
import type { Grid } from "../../src/model/timeline/layout";
import { PatternSheet } from "../../src/views/shared/Patterns";
import { TimelinePanel } from "../../src/views/timeline/TimelinePanel";
import { PhoneTransport } from "../../src/views/transport/PhoneTransport";
import { TraceBar } from "../../src/views/transport/TraceBar";
import { Transport } from "../../src/views/transport/Transport";
import "../../src/app/tokens.css";
import "../../src/app/base.css";
import { report, trace } from "../pictures/runData";
import { N_ACCESSES, timelineData } from "../pictures/timelineData";

const options = new URLSearchParams(location.search);
const state = options.get("state");
document.documentElement.dataset.theme = options.get("theme") ?? "light";
const text = options.get("text");
if (text !== null) document.documentElement.style.fontSize = `${text}%`;
if (options.get("font") === "wide")
  document.documentElement.style.letterSpacing = "0.07em";

/** A run with exceptions: `?state=ended`. */
const ended = {
  ...report,
  exceptions: { ...report.exceptions, page_faults: { "0x7": 41 } },
};

function withExceptions(timeline: TimelineColumns): TimelineColumns {
  for (let bin = 100; bin < timeline.view.bins; bin += 17) {
    timeline.exceptions[bin] = Math.round(
      (timeline.translations[bin] ?? 0) / 20,
    );
    for (let row = 5; row < timeline.view.rows; row += 9)
      timeline.cellExceptions[row * timeline.view.bins + bin] = 1;
  }
  return timeline;
}

function Gallery() {
  const compact = innerWidth < 640;
  const [cursor, setCursor] = useState(12_345);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1000);
  const [grid, setGrid] = useState<Grid>({ bins: 240, rows: 53 });
  const [span, setSpan] = useState({ from: 0, to: N_ACCESSES });
  const timeline = useMemo(() => {
    const made = timelineData({ ...span, ...grid });
    return state === "ended" ? withExceptions(made) : made;
  }, [span, grid]);
  const onGrid = useCallback((next: Grid) => setGrid(next), []);
  const shared = {
    cursor,
    nAccesses: N_ACCESSES,
    playing,
    speed,
    onPlay: setPlaying,
    onMove: () => setCursor((old) => old + 1),
    onJump: (_: string, direction: number) =>
      setCursor((old) => old + direction * 500),
    onSpeed: setSpeed,
    onSeek: setCursor,
  };
  return (
    <Stack height={options.get("height")}>
      <PatternSheet />
      <TraceBar
        trace={trace}
        report={state === "ended" ? ended : report}
        compact={compact}
        partial={state === "partial"}
      />
      <TimelinePanel
        timeline={state === "empty" ? null : timeline}
        nAccesses={N_ACCESSES}
        cursor={cursor}
        stale={state === "stale"}
        readTo={state === "partial" ? 250_000 : undefined}
        progress={
          state === "partial"
            ? { label: "Running", done: 250_000, total: N_ACCESSES }
            : undefined
        }
        empty="Nothing has been run yet."
        compact={compact}
        onSeek={setCursor}
        onBrush={(from, to) => setSpan({ from, to })}
        onReset={() => setSpan({ from: 0, to: N_ACCESSES })}
        onGrid={onGrid}
      />
      {compact ? (
        <PhoneTransport {...shared} />
      ) : (
        <Transport {...shared} onFind={noop} onKeys={noop} />
      )}
    </Stack>
  );
}

function Stack({
  height,
  children,
}: {
  readonly height: string | null;
  readonly children: ReactNode;
}) {
  return (
    <main
      style={{
        display: "flex",
        flexDirection: "column",
        height: height === null ? undefined : Number(height),
      }}
    >
      {children}
    </main>
  );
}

const noop = () => undefined;

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);

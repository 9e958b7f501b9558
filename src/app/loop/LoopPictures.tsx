/** The pictures of a program's last run: outcomes and addresses over time, the access at the cursor, and misses. */
import { Suspense, lazy } from "react";
import type { LoopSlot } from "../../model/loop/loop";
import { isStale, programAt, sameSetup } from "../../model/loop/loop";
import { accessAt } from "../../model/loop/places";
import { cropFor } from "../../model/timeline/scale";
import type { AppState } from "../../state/store";
import { LoopCursor } from "../../views/loop/LoopCursor";
import { TimelinePanel } from "../../views/timeline/TimelinePanel";
import { useActions, useApp } from "../context";
import { useIsPhone } from "../shared/useMedia";

const AttributionTables = lazy(() =>
  import("../../views/attribution/AttributionTables").then((module) => ({
    default: module.AttributionTables,
  })),
);

export function LoopPictures({ slot }: { readonly slot: LoopSlot }) {
  const program = useApp((state) => programAt(state.loop, slot));
  const at = useApp((state) => state.loop?.at ?? 0);
  const setup = useApp((state) => state.configuration?.setup);
  const cropTo = useApp(sharedCrop);
  const actions = useActions();
  const compact = useIsPhone();
  if (!program) return null;
  const { shown, run, waits } = program;
  const n = shown?.trace.n_accesses ?? 0;
  const showOnly = actions.showOnlyOfLoop;
  return (
    <>
      <div className="loop-timeline" data-testid={`timeline ${slot}`}>
        <TimelinePanel
          timeline={shown?.timeline ?? null}
          nAccesses={n}
          cursor={accessAt(at, n)}
          stale={isStale(program, setup) && !sameSetup(shown?.setup, setup)}
          isLoading={run?.status === "running" && !shown}
          cropTo={cropTo}
          compact={compact}
          empty={
            run?.status === "failed" ? (
              "The code did not run: the editor says why."
            ) : run || waits === "screen" ? (
              "Running …"
            ) : (
              <Prompt
                isForeign={waits === "reader"}
                onRun={() => void actions.runLoop(slot)}
              />
            )
          }
          only={
            shown?.only && {
              label: shown.only.label,
              onAll: () => void showOnly(slot, undefined),
            }
          }
          onSeek={(access) => void actions.goToLoop(slot, access)}
          onBrush={(from, to) =>
            void actions.openLoopWindow(slot, { from, to })
          }
          onReset={() => void actions.openLoopWindow(slot)}
          onGrid={(grid) => void actions.setLoopGrid(slot, grid)}
        />
      </div>
      {shown ? (
        <>
          <LoopCursor shown={shown} />
          <div className="loop-breakdown">
            <Suspense>
              <AttributionTables
                view={shown.attribution}
                progress={undefined}
                filter={shown.only}
                onFilter={(filter) => void showOnly(slot, filter)}
              />
            </Suspense>
          </div>
        </>
      ) : null}
    </>
  );
}

interface PromptProps {
  /** Whether the code came with a link. */
  readonly isForeign: boolean;
  readonly onRun: () => void;
}

function Prompt({ isForeign, onRun }: PromptProps) {
  return (
    <>
      {isForeign
        ? "This code came with a link. Read it, then run it."
        : "The code has not run yet."}{" "}
      <button type="button" className="btn" onClick={onRun}>
        Run it
      </button>
    </>
  );
}

/** Two programs share the outcome axis; a program alone has its own. */
function sharedCrop({ loop }: AppState): number | undefined {
  const [first, second] = loop?.programs ?? [];
  if (!first?.shown || !second?.shown) return undefined;
  return Math.max(
    cropFor(first.shown.timeline),
    cropFor(second.shown.timeline),
  );
}

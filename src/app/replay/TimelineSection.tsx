import { memo } from "react";
import type { AppState } from "../../state/store";
import { TimelinePanel } from "../../views/timeline/TimelinePanel";
import type { TimelinePanelProps } from "../../views/timeline/TimelinePanel";
import { useActions, useApp } from "../context";
import { useIsPhone } from "../shared/useMedia";

/** Everything but the cursor, which moves 60 times a second while the replay plays. */
export const TimelineSection = memo(function TimelineSection() {
  const timeline = useApp((state) => state.timeline);
  const stale = useApp((state) => state.stale);
  const only = useApp(({ only, trace }) =>
    only && only.trace === trace ? only.filter : undefined,
  );
  const nAccesses = useApp((state) => state.trace?.n_accesses ?? 0);
  const window = useApp((state) => state.configuration?.setup.window);
  const work = useApp(timelineWork);
  const {
    goTo,
    openWindow,
    resetWindow,
    setGrid,
    setRunWindow,
    showOnly,
    jump,
  } = useActions();
  const compact = useIsPhone();
  return (
    <div className="replay-timeline" data-testid="timeline">
      <AtCursor
        timeline={timeline ?? null}
        nAccesses={nAccesses}
        stale={stale}
        isLoading={work !== undefined}
        empty={work && `${work} …`}
        only={
          only && { label: only.label, onAll: () => void showOnly(undefined) }
        }
        compact={compact}
        counting={{
          window,
          onChange: setRunWindow,
        }}
        onSeek={(access) => void goTo(access)}
        onBrush={(from, to) => void openWindow({ from, to })}
        onReset={() => void resetWindow()}
        onNextOperation={() => void jump({ what: "operation" }, 1)}
        onGrid={(grid) => void setGrid(grid)}
      />
    </div>
  );
});

function AtCursor(props: Omit<TimelinePanelProps, "cursor">) {
  const cursor = useApp((state) => state.cursor);
  return <TimelinePanel {...props} cursor={cursor} />;
}

/** What must end before there is a timeline of the open trace; `undefined` if there is one, or nothing to wait for. */
function timelineWork(state: AppState): string | undefined {
  const { timeline, task, stale, trace } = state;
  if (timeline) return undefined;
  if (task) return task.label;
  return !stale && trace?.n_accesses ? "Counting outcomes" : undefined;
}

import { Suspense, lazy, memo, useMemo } from "react";
import type { Task } from "../../state/store";
import { JUMPS } from "../../views/transport/jumps";
import { Transport } from "../../views/transport/Transport";
import type { TransportProps } from "../../views/transport/Transport";
import { useActions, useApp } from "../context";
import { ImportButton } from "../frame/ImportButton";
import type { Dialog } from "../frame/useKeys";
import { useMedia } from "../shared/useMedia";
import type { Move } from "../../views/transport/jumps";

const PhoneTransport = lazy(() =>
  import("../../views/transport/PhoneTransport").then((module) => ({
    default: module.PhoneTransport,
  })),
);

interface TransportSectionProps {
  readonly onDialog: (dialog: Dialog) => void;
}

export const TransportSection = memo(function TransportSection({
  onDialog,
}: TransportSectionProps) {
  const cursor = useApp((state) => state.cursor);
  const nAccesses = useApp((state) => state.trace?.n_accesses ?? 0);
  const playing = useApp((state) => state.playing);
  const speed = useApp((state) => state.speed);
  const task = useApp((state) => state.task);
  const isReady = useApp((state) => state.snapshot !== undefined);
  const actions = useActions();
  // The row of controls needs more space than the other parts.
  const isNarrow = useMedia("(width < 900px)");

  // The controls stay as they are while the replay plays.
  const controls = useMemo(() => {
    const move = (to: Move) => {
      switch (to) {
        case "start":
          return actions.goTo(0);
        case "end":
          return actions.goTo(nAccesses - 1);
        case "back":
          return actions.step(-1);
        case "step":
          return actions.step(1);
      }
    };
    return {
      onPlay: (play) => (play ? actions.play() : actions.pause()),
      onMove: (to) => void move(to),
      onJump: (what, direction) => void actions.jump({ what }, direction),
      onSpeed: actions.setSpeed,
      onSeek: (access) => void actions.goTo(access),
      onFind: () => onDialog("find"),
      onKeys: () => onDialog("keys"),
    } satisfies Partial<TransportProps>;
  }, [actions, nAccesses, onDialog]);
  const props: TransportProps = {
    ...controls,
    cursor,
    nAccesses,
    playing,
    speed,
    seeking: seekingOf(task),
    disabled: isReady ? undefined : "No trace is open yet.",
  };
  return (
    <footer className="replay-transport">
      {isNarrow ? (
        <Suspense>
          <PhoneTransport {...props} />
        </Suspense>
      ) : (
        <Transport
          {...props}
          notice={<ImportButton className="transport-notice" />}
        />
      )}
    </footer>
  );
});

function seekingOf(task: Task | undefined): TransportProps["seeking"] {
  if (!task?.find) return undefined;
  const { target, direction } = task.find;
  const jump = JUMPS.find((words) => words.jump === target.what)?.jump;
  return jump && { jump, direction };
}

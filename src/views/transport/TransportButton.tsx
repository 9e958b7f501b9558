import { Icon } from "../shared/Icon";
import type { IconName } from "../shared/Icon";
import { Tooltip } from "../shared/Tooltip";
import type { Move } from "./jumps";

interface Words {
  readonly icon: IconName;
  readonly name: string;
  readonly key: string;
  readonly shortcut: string;
}

const WORDS: Readonly<Record<Move, Words>> = {
  start: { icon: "start", name: "To the start", key: "Home", shortcut: "Home" },
  back: {
    icon: "back",
    name: "Step back",
    key: "←",
    shortcut: "ArrowLeft",
  },
  step: {
    icon: "step",
    name: "Step",
    key: "→",
    shortcut: "ArrowRight",
  },
  end: { icon: "end", name: "To the end", key: "End", shortcut: "End" },
};

export interface TransportButtonProps {
  readonly move: Move;
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  readonly reason: string | undefined;
  readonly size?: number;
  readonly onMove: (move: Move) => void;
}

export function TransportButton({
  move,
  reason,
  size = 16,
  onMove,
}: TransportButtonProps) {
  const { icon, name, key, shortcut } = WORDS[move];
  return (
    <Tooltip content={<Hint name={name} shortcut={key} reason={reason} />}>
      <button
        type="button"
        className="btn icon"
        aria-label={name}
        aria-keyshortcuts={shortcut}
        aria-disabled={reason !== undefined}
        onClick={() => {
          if (reason === undefined) onMove(move);
        }}
      >
        <Icon name={icon} size={size} />
      </button>
    </Tooltip>
  );
}

export interface PlayButtonProps {
  readonly playing: boolean;
  readonly reason: string | undefined;
  readonly size?: number;
  readonly onPlay: (playing: boolean) => void;
}

export function PlayButton({
  playing,
  reason,
  size = 16,
  onPlay,
}: PlayButtonProps) {
  const name = playing ? "Pause" : "Play";
  return (
    <Tooltip content={<Hint name={name} shortcut="space" reason={reason} />}>
      <button
        type="button"
        className="btn primary transport-play"
        aria-label={name}
        aria-keyshortcuts="Space"
        aria-disabled={reason !== undefined}
        onClick={() => {
          if (reason === undefined) onPlay(!playing);
        }}
      >
        <Icon name={playing ? "pause" : "play"} size={size} />
      </button>
    </Tooltip>
  );
}

export interface HintProps {
  readonly name: string;
  readonly shortcut: string;
  readonly reason?: string | undefined;
}

/** The name and the key of a control, or why it is disabled. */
export function Hint({ name, shortcut, reason }: HintProps) {
  return (
    <>
      {name} <kbd>{shortcut}</kbd>
      {reason === undefined ? null : <p className="tip-note">{reason}</p>}
    </>
  );
}

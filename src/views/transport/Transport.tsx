/** The row of controls under the timeline: play, step, jump, speed, position. It only calls callbacks. */
import type { ReactNode } from "react";
import { count } from "../../model/shared/format";
import type { AccessIndex, Speed } from "../../model/shared/units";
import { AccessField } from "./AccessField";
import { JumpButtons } from "./JumpButtons";
import type { Direction, Jump, Move } from "./jumps";
import { SpeedChoice } from "./SpeedChoice";
import { PlayButton, TransportButton } from "./TransportButton";
import "../shared/controls.css";
import "./transport.css";

export interface TransportProps {
  readonly cursor: AccessIndex;
  readonly nAccesses: number;
  readonly playing: boolean;
  readonly speed: Speed;
  /** The jump in progress; its button shows it. */
  readonly seeking?:
    { readonly jump: Jump; readonly direction: Direction } | undefined;
  /** Why playing is disabled: "a sample has no order". */
  readonly disabled?: string | undefined;
  readonly onPlay: (playing: boolean) => void;
  readonly onMove: (move: Move) => void;
  readonly onJump: (jump: Jump, direction: Direction) => void;
  readonly onSpeed: (speed: Speed) => void;
  readonly onSeek: (access: AccessIndex) => void;
  readonly onFind: () => void;
  readonly onKeys: () => void;
  /** Something that must not cover the pictures. */
  readonly notice?: ReactNode;
}

export function Transport(props: TransportProps) {
  const { cursor, nAccesses, playing, speed, seeking, disabled } = props;
  const atStart = cursor <= 0;
  const atEnd = cursor >= nAccesses - 1;
  return (
    <div className="transport" role="group" aria-label="Replay">
      <div className="transport-group">
        <TransportButton
          move="start"
          reason={
            disabled ?? (atStart ? "This is the first access." : undefined)
          }
          onMove={props.onMove}
        />
        <TransportButton
          move="back"
          reason={
            disabled ?? (atStart ? "This is the first access." : undefined)
          }
          onMove={props.onMove}
        />
        <PlayButton playing={playing} reason={disabled} onPlay={props.onPlay} />
        <TransportButton
          move="step"
          reason={disabled ?? (atEnd ? "This is the last access." : undefined)}
          onMove={props.onMove}
        />
        <TransportButton
          move="end"
          reason={disabled ?? (atEnd ? "This is the last access." : undefined)}
          onMove={props.onMove}
        />
      </div>
      <span className="transport-word">next</span>
      <JumpButtons seeking={seeking} reason={disabled} onJump={props.onJump} />
      <span className="transport-word">speed</span>
      <SpeedChoice speed={speed} onSpeed={props.onSpeed} />
      {props.notice}
      <span className="transport-space" />
      <AccessField
        cursor={cursor}
        nAccesses={nAccesses}
        onSeek={props.onSeek}
        label="access"
      />
      <span className="transport-of">of {count(nAccesses)}</span>
      <span className="transport-hints">
        <button
          type="button"
          className="transport-hint"
          aria-keyshortcuts="/"
          onClick={props.onFind}
        >
          <kbd>/</kbd> find a page
        </button>
        <button
          type="button"
          className="transport-hint"
          aria-keyshortcuts="?"
          onClick={props.onKeys}
        >
          <kbd>?</kbd> keys
        </button>
      </span>
    </div>
  );
}

import { memo } from "react";
import { Glyph } from "../shared/Glyph";
import { Icon } from "../shared/Icon";
import { Tooltip } from "../shared/Tooltip";
import { JUMPS } from "./jumps";
import type { Direction, Jump, JumpWords } from "./jumps";
import { Hint } from "./TransportButton";

export interface JumpButtonsProps {
  readonly seeking:
    { readonly jump: Jump; readonly direction: Direction } | undefined;
  readonly reason: string | undefined;
  readonly onJump: (jump: Jump, direction: Direction) => void;
}

/**
 * A control for each outcome in two parts: the narrow part goes back, the wide one forward (or back, with
 * Shift).
 */
export const JumpButtons = memo(function JumpButtons({
  seeking,
  reason,
  onJump,
}: JumpButtonsProps) {
  return (
    <div className="transport-group">
      {JUMPS.map((words) => (
        <span
          key={words.jump}
          className="transport-jump"
          data-seeking={
            seeking?.jump === words.jump ? seeking.direction : undefined
          }
        >
          <JumpButton
            words={words}
            direction={-1}
            reason={reason}
            onJump={onJump}
          />
          <JumpButton
            words={words}
            direction={1}
            reason={reason}
            onJump={onJump}
          />
        </span>
      ))}
    </div>
  );
});

interface JumpButtonProps {
  readonly words: JumpWords;
  readonly direction: Direction;
  readonly reason: string | undefined;
  readonly onJump: (jump: Jump, direction: Direction) => void;
}

function JumpButton({ words, direction, reason, onJump }: JumpButtonProps) {
  const { jump, word, finds, glyph, nextKey, previousKey, shortcuts } = words;
  const next = direction === 1;
  const name = `${next ? "Next" : "Previous"} ${finds}`;
  const [before = "", after = ""] = finds.split(word);
  return (
    <Tooltip
      content={
        <Hint
          name={name}
          shortcut={next ? nextKey : previousKey}
          reason={reason}
        />
      }
    >
      <button
        type="button"
        className={next ? "btn" : "btn transport-previous"}
        aria-label={next ? undefined : name}
        aria-keyshortcuts={shortcuts[direction]}
        aria-disabled={reason !== undefined}
        onClick={(event) => {
          if (reason === undefined)
            onJump(jump, next && !event.shiftKey ? 1 : -1);
        }}
      >
        {next ? (
          <>
            <span className="visually-hidden">{`Next ${before}`.trim()} </span>
            <Glyph outcome={glyph} /> {word}{" "}
            {after ? (
              <span className="visually-hidden">{after.trim()} </span>
            ) : null}
            <kbd aria-hidden="true">{nextKey}</kbd>
          </>
        ) : (
          <Icon name="chevron-left" size={14} />
        )}
      </button>
    </Tooltip>
  );
}

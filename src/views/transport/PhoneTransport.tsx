/** The transport of a phone: fixed at the bottom, 48 px controls, jumps and speed behind "next". */
import { useEffect, useId, useRef, useState } from "react";
import { count } from "../../model/shared/format";
import { Glyph } from "../shared/Glyph";
import { Icon } from "../shared/Icon";
import { AccessField } from "./AccessField";
import { JUMPS } from "./jumps";
import type { Direction, Jump } from "./jumps";
import { SpeedChoice } from "./SpeedChoice";
import type { TransportProps } from "./Transport";
import { PlayButton, TransportButton } from "./TransportButton";
import "../shared/controls.css";
import "./transport.css";

export function PhoneTransport(
  props: Omit<TransportProps, "onFind" | "onKeys">,
) {
  const { cursor, nAccesses, playing, disabled } = props;
  const atStart =
    disabled ?? (cursor <= 0 ? "This is the first access." : undefined);
  const atEnd =
    disabled ??
    (cursor >= nAccesses - 1 ? "This is the last access." : undefined);
  return (
    <div className="transport-phone" role="group" aria-label="Replay">
      <TransportButton
        move="back"
        size={20}
        reason={atStart}
        onMove={props.onMove}
      />
      <PlayButton
        playing={playing}
        size={20}
        reason={disabled}
        onPlay={props.onPlay}
      />
      <TransportButton
        move="step"
        size={20}
        reason={atEnd}
        onMove={props.onMove}
      />
      <More {...props} />
      <span className="transport-position">
        <AccessField
          cursor={cursor}
          nAccesses={nAccesses}
          onSeek={props.onSeek}
          label="access"
          quiet
        />
        <span className="transport-word">of {count(nAccesses)}</span>
      </span>
    </div>
  );
}

/** "next" with the last used kind of jump; opens all jumps, in both directions. */
function More({
  speed,
  disabled,
  onJump,
  onMove,
  onSpeed,
}: Omit<TransportProps, "onFind" | "onKeys">) {
  const id = useId();
  const frame = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  const [last, setLast] = useState<Jump>("walk");
  const glyph = JUMPS.find(({ jump }) => jump === last)?.glyph ?? "walk";

  useEffect(() => {
    if (!open) return;
    const onPointer = (event: Event) => {
      if (
        event.target instanceof Node &&
        !frame.current?.contains(event.target)
      )
        setOpen(false);
    };
    document.addEventListener("pointerdown", onPointer);
    return () => document.removeEventListener("pointerdown", onPointer);
  }, [open]);

  const go = (jump: Jump, direction: Direction) => {
    setLast(jump);
    setOpen(false);
    onJump(jump, direction);
  };

  return (
    <span ref={frame} className="transport-more">
      <button
        type="button"
        className="btn"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-disabled={disabled !== undefined}
        title={disabled}
        onClick={() => setOpen(!open && disabled === undefined)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setOpen(false);
        }}
      >
        next <Glyph outcome={glyph} size={12} />{" "}
        <Icon name={open ? "chevron" : "chevron-up"} size={12} />
      </button>
      {open ? (
        <div id={id} className="transport-sheet">
          {JUMPS.map(({ jump, finds, glyph: mark }) => (
            <div key={jump} className="transport-row">
              <button
                type="button"
                className="btn icon"
                aria-label={`Previous ${finds}`}
                onClick={() => go(jump, -1)}
              >
                <Icon name="chevron-left" />
              </button>
              <span className="transport-row-word">
                <Glyph outcome={mark} /> {finds}
              </span>
              <button
                type="button"
                className="btn icon"
                aria-label={`Next ${finds}`}
                onClick={() => go(jump, 1)}
              >
                <Icon name="chevron-right" />
              </button>
            </div>
          ))}
          <div className="transport-row">
            <TransportButton move="start" reason={undefined} onMove={onMove} />
            <span className="transport-row-word">start, end</span>
            <TransportButton move="end" reason={undefined} onMove={onMove} />
          </div>
          <div className="transport-row">
            <span className="transport-word">speed</span>
            <SpeedChoice speed={speed} onSpeed={onSpeed} />
          </div>
        </div>
      ) : null}
    </span>
  );
}

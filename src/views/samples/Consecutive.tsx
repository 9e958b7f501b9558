/** Why a replay of samples is misleading, and a button that starts it anyway. */
import { counted } from "../../model/shared/format";

export interface ConsecutiveProps {
  readonly nAccesses: number;
  readonly onReplay: () => void;
}

export function Consecutive({ nAccesses, onReplay }: ConsecutiveProps) {
  if (nAccesses === 0)
    return (
      <p className="samples-note">
        The samples have no data addresses, so there is nothing to replay.
      </p>
    );
  return (
    <div className="samples-consecutive">
      <p className="samples-note">
        A replay sends the{" "}
        {counted(nAccesses, "sampled address", "sampled addresses")} through the
        machine one after the other, as if the program had made no other
        accesses. Most accesses are missing between them, so hits, misses and
        walks are not the program’s. Use it to see how single addresses are
        translated.
      </p>
      <button type="button" className="btn" onClick={onReplay}>
        Replay as if consecutive
      </button>
    </div>
  );
}

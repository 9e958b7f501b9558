/** Samples are no stream: what a replay of them would be, and the way to it all the same. */
import { count } from "../../model/shared/format";

export interface ConsecutiveProps {
  readonly nAccesses: number;
  readonly onReplay: () => void;
}

export function Consecutive({ nAccesses, onReplay }: ConsecutiveProps) {
  if (nAccesses === 0)
    return (
      <p className="samples-note">
        There is nothing to replay: the samples have no data addresses.
      </p>
    );
  return (
    <div className="samples-consecutive">
      <p className="samples-note">
        A replay sends the {count(nAccesses)} sampled addresses through the
        machine one after the other, as if the program had made these accesses
        and no others. Most accesses are missing between them, so its hits,
        misses and walks are not those of the program; it shows how single
        addresses are translated.
      </p>
      <button type="button" className="btn" onClick={onReplay}>
        Replay as if consecutive
      </button>
    </div>
  );
}

/** Turns the walk caches off, so that every walk is cold: it reads all its tables. */

export interface ColdWalkProps {
  readonly isCold: boolean;
  /** Whether the machine has no walk caches that could be turned on. */
  readonly isFixed: boolean;
  readonly onChange: (isCold: boolean) => void;
}

export function ColdWalk({ isCold, isFixed, onChange }: ColdWalkProps) {
  return (
    <button
      type="button"
      className="walk-tool"
      role="switch"
      aria-checked={!isCold}
      aria-disabled={isFixed}
      title={
        isFixed
          ? "This machine has no walk caches: every walk reads all its tables."
          : isCold
            ? "Every walk of the run is cold: it reads all its tables. Press to turn the walk caches on again."
            : "Press to make every walk of the run cold: it then reads all its tables. The data caches stay as they are."
      }
      onClick={() => {
        if (!isFixed) onChange(!isCold);
      }}
    >
      walk caches <b aria-hidden="true">{isCold ? "off" : "on"}</b>
    </button>
  );
}

/** Turns the walk caches off, so that every walk reads all its tables. */

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
      aria-pressed={isCold}
      aria-disabled={isFixed}
      title={
        isFixed
          ? "This machine has no walk caches: every walk reads all its tables."
          : isCold
            ? "Walk caches are off: every walk reads all its tables. Press to turn them on again."
            : "Turns walk caches off: every walk then reads all its tables"
      }
      onClick={() => {
        if (!isFixed) onChange(!isCold);
      }}
    >
      {isCold ? "walk caches off" : "cold walk"}
    </button>
  );
}

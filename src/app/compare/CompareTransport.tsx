/** Steps both machines through the trace, or to the next difference. */
import type { ReactNode } from "react";
import { count } from "../../model/shared/format";
import { Icon } from "../../views/shared/Icon";
import { AccessField } from "../../views/transport/AccessField";
import { useActions, useApp } from "../context";

export interface CompareTransportProps {
  /** The number of accesses. */
  readonly n: number;
  /** More controls, at the end. */
  readonly children?: ReactNode;
}

export function CompareTransport({ n, children }: CompareTransportProps) {
  const { at, searching, note, lockstep } = useApp((state) => state.compare);
  const { goToBoth, jumpToDifference } = useActions();
  const first = lockstep?.listed[0]?.index;
  const none = lockstep?.differing === 0;
  const jump = (direction: 1 | -1) => () => void jumpToDifference(direction);
  return (
    <div className="compare-transport" role="group" aria-label="Both replays">
      <button
        type="button"
        className="btn"
        aria-disabled={first === undefined}
        onClick={() => {
          if (first !== undefined) void goToBoth(first);
        }}
      >
        First difference
      </button>
      <button
        type="button"
        className="btn"
        aria-disabled={none}
        onClick={jump(-1)}
      >
        <Icon name="chevron-left" /> Previous
      </button>
      <button
        type="button"
        className="btn"
        aria-disabled={none}
        onClick={jump(1)}
      >
        Next difference <Icon name="chevron-right" />
      </button>
      <span className="compare-step">
        <button
          type="button"
          className="btn icon"
          aria-label="Step both back"
          onClick={() => void goToBoth(at - 1)}
        >
          <Icon name="back" />
        </button>
        <button
          type="button"
          className="btn icon"
          aria-label="Step both"
          onClick={() => void goToBoth(at + 1)}
        >
          <Icon name="step" />
        </button>
        <AccessField
          cursor={at}
          nAccesses={n}
          label="access"
          onSeek={(index) => void goToBoth(index)}
        />
        <span className="t2">of {count(n)}</span>
      </span>
      <span className="t2" role="status">
        {searching ? "Searching…" : note}
      </span>
      <span className="spacer" />
      {children}
    </div>
  );
}

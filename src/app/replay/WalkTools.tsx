/**
 * What the head of the walk panel can change: walk caches on or off, and the native walk beside a guest's. The button
 * near the access loads with it.
 */
import { hasWalkCaches } from "../../model/config/walkCaches";
import { virtOf } from "../../model/config/mapping";
import { wordsOfConfig } from "../../model/words/words";
import { restorableCaches } from "../../state/selectors";
import { ColdWalk } from "../../views/walk/ColdWalk";
import { useActions, useApp } from "../context";
import type { Dialog } from "../frame/useKeys";

export function WalkTools() {
  const setup = useApp((state) => state.configuration?.setup);
  const canRestore = useApp((state) => restorableCaches(state) !== undefined);
  const { setWalkCaches, compareWithNative } = useActions();
  if (!setup) return null;
  const hasCaches = hasWalkCaches(setup.machine);
  const words = wordsOfConfig(setup.machine);
  return (
    <span className="walk-tools" data-no-picture="">
      <ColdWalk
        isCold={!hasCaches}
        isFixed={!hasCaches && !canRestore}
        onChange={(isCold) => void setWalkCaches(!isCold)}
      />
      {virtOf(setup.os) === "native" ? null : (
        <button
          type="button"
          className="walk-tool"
          title={`Shows the walk of this access on the same machine without virtualisation, next to the one under ${words.virt[virtOf(setup.os)]}`}
          onClick={() => void compareWithNative()}
        >
          compare with native
        </button>
      )}
    </span>
  );
}

/** Makes questions about the access. */
export function AskButton({
  onDialog,
}: {
  readonly onDialog: (dialog: Dialog) => void;
}) {
  return (
    <button
      type="button"
      className="walk-tool"
      data-no-picture=""
      title="Make an exercise for others from this trace and machine"
      onClick={() => onDialog("ask")}
    >
      Ask about this
    </button>
  );
}

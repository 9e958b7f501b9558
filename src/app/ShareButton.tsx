import { useEffect, useState } from "react";
import { addressOf } from "./address";
import { useAppStore } from "./context";

/** How long the button says what happened, in milliseconds. */
const SAID_MS = 2500;

/** Copies the address of what is on the screen. */
export function ShareButton() {
  const store = useAppStore();
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);

  const share = async () => {
    const address = addressOf(store.getState());
    try {
      await navigator.clipboard.writeText(address);
      setSaid("Link copied");
    } catch {
      // No clipboard without a secure context or a permission: the address bar has the same link.
      history.replaceState(history.state, "", address);
      setSaid("Copy it from the address bar");
    }
  };
  return (
    <button
      type="button"
      className="btn"
      title="Copy a link to this trace, machine and access"
      disabled={store.getState().trace === undefined}
      onClick={() => void share()}
    >
      {said ?? "Share"}
      <span className="sr-only" role="status">
        {said}
      </span>
    </button>
  );
}

import { useEffect, useState } from "react";
import { addressOf, writeAddress } from "../browser/address";
import { Icon } from "../../views/shared/Icon";
import { useActions, useApp, useAppStore } from "../context";

/** The button shows the result for this time, in milliseconds. */
const MESSAGE_MS = 2500;

const COPIED = "Copied";
const ABOVE = "See above";
/** The result for screen readers. */
const READ = {
  [COPIED]: "Link copied",
  [ABOVE]: "The link is in the address bar",
};

/** Copies the link to what is on the screen. */
export function ShareButton({ hasIcon = false }) {
  const store = useAppStore();
  const screen = useApp((state) => state.screen);
  const { noteLinkGaps } = useActions();
  const [message, setMessage] = useState<keyof typeof READ | null>(null);
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setMessage(null), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);

  const share = async () => {
    const address = addressOf(store.getState());
    noteLinkGaps();
    try {
      await navigator.clipboard.writeText(address);
      setMessage(COPIED);
    } catch {
      // Without a secure context or a permission there is no clipboard; the address bar has the same link.
      writeAddress(store.getState());
      setMessage(ABOVE);
    }
  };
  return (
    <button
      type="button"
      className="btn share"
      title={
        screen === "replay"
          ? "Copy a link to this trace, machine and access"
          : "Copy a link to this page"
      }
      disabled={screen === "replay" && store.getState().trace === undefined}
      onClick={() => void share()}
    >
      {hasIcon ? <Icon name="share" /> : null}
      <span>{message ?? "Share"}</span>
      <span aria-hidden="true">{COPIED}</span>
      <span aria-hidden="true">{ABOVE}</span>
      <span className="sr-only" role="status">
        {message === null ? null : READ[message]}
      </span>
    </button>
  );
}

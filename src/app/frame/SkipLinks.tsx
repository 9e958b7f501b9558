import { useApp } from "../context";
import { focusPart } from "./skip";
import "./skip.css";

/**
 * The first tab stops of the page: they skip the header. They are buttons, since the address after `#` is the
 * state of the page.
 */
export function SkipLinks() {
  const isReplay = useApp(
    ({ screen, snapshot }) => screen === "replay" && snapshot !== undefined,
  );
  if (!isReplay) return null;
  return (
    <div className="skip-links">
      <button type="button" onClick={() => focusPart("picture")}>
        Skip to the picture
      </button>
      <button type="button" onClick={() => focusPart("timeline")}>
        Skip to the timeline
      </button>
    </div>
  );
}

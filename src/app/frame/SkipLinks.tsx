import { useApp } from "../context";
import { useSpoken } from "../language/spoken";
import { focusPart } from "./skip";
import "./skip.css";

/**
 * The first tab stops of the page: they skip the header. They are buttons, since the address after `#` is the
 * state of the page.
 */
export function SkipLinks() {
  const { language, nav } = useSpoken();
  const isReplay = useApp(
    ({ screen, snapshot }) => screen === "replay" && snapshot !== undefined,
  );
  if (!isReplay) return null;
  return (
    <div className="skip-links" lang={language}>
      <button type="button" onClick={() => focusPart("picture")}>
        {nav.toPicture}
      </button>
      <button type="button" onClick={() => focusPart("timeline")}>
        {nav.toTimeline}
      </button>
    </div>
  );
}

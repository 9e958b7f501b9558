/** Above a replay that a lesson opened: the way back to its step. */
import { encodePermalink } from "../../model/permalink/permalink";
import { Icon } from "../../views/shared/Icon";
import { useActions, useApp } from "../context";
import "./backStrip.css";

export function BackStrip() {
  const back = useApp((state) => state.back);
  const { leaveLesson } = useActions();
  if (!back) return null;
  const { lesson, step } = back;
  return (
    <aside className="back-strip" aria-label="The lesson">
      <a
        className="btn"
        href={`#${encodePermalink({ screen: "learn", lesson, step })}`}
      >
        Back to the lesson, step {step}
      </a>
      <span>
        This is the machine of the lesson. Step through it, and change what you
        like.
      </span>
      <button
        type="button"
        className="btn quiet icon"
        aria-label="Close"
        onClick={leaveLesson}
      >
        <Icon name="close" />
      </button>
    </aside>
  );
}

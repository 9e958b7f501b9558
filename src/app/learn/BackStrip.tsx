/** Above a replay that a lesson opened: the way back to its step. */
import { use } from "react";
import { encodePermalink } from "../../model/permalink/permalink";
import { Icon } from "../../views/shared/Icon";
import { useActions, useApp } from "../context";
import { useSpoken } from "../language/spoken";
import { loadLearn } from "./texts";
import "./backStrip.css";

export function BackStrip() {
  const back = useApp((state) => state.back);
  const { leaveLesson } = useActions();
  const { language } = useSpoken();
  const say = use(loadLearn(language));
  if (!back) return null;
  const { lesson, step } = back;
  return (
    <aside
      className="back-strip translated"
      lang={language}
      aria-label={say("theLesson")}
    >
      <a
        className="btn"
        href={`#${encodePermalink({ screen: "learn", lesson, step })}`}
      >
        {say("backToLesson", { step })}
      </a>
      <span>{say("machineOfLesson")}</span>
      <button
        type="button"
        className="btn quiet icon"
        aria-label={say("close")}
        onClick={leaveLesson}
      >
        <Icon name="close" />
      </button>
    </aside>
  );
}

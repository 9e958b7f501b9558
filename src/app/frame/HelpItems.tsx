/** The items of the help menu. A phone shows them below its screens, and the forms to share before them. */
import { use } from "react";
import { HOW_WE_KNOW } from "../../model/experiments/howWeKnow";
import { encodePermalink } from "../../model/permalink/permalink";
import { useActions, useApp } from "../context";
import { LanguageChoice } from "../language/LanguageChoice";
import { loader } from "../language/loader";
import { useSpoken } from "../language/spoken";
import { DetailChoice } from "./DetailChoice";
import { ShareButton } from "./ShareButton";
import type { Dialog } from "./useKeys";

const CATALOGUES = {
  en: () => import("../../texts/en/help"),
  zh: () => import("../../texts/zh/help"),
  ko: () => import("../../texts/ko/help"),
};
const loadHelp = loader(
  async (language) => (await CATALOGUES[language]()).help,
);

export interface HelpItemsProps {
  readonly onDialog: (dialog: Dialog) => void;
  readonly close: () => void;
  /** Whether pages for reading come first. */
  readonly hasPages?: boolean;
}

export function HelpItems({ onDialog, close, hasPages }: HelpItemsProps) {
  const { language, nav } = useSpoken();
  const help = use(loadHelp(language));
  const { showWelcome, toggleProjector } = useActions();
  const projector = useApp((state) => state.projector);
  const items = [
    {
      text: projector ? help.usual : help.projector,
      act: () => toggleProjector(),
    },
    { text: help.commands, act: () => onDialog("palette") },
    { text: help.keys, act: () => onDialog("keys") },
    { text: help.again, act: () => void showWelcome() },
  ];
  return (
    <>
      {hasPages ? (
        <>
          <a
            href={`#${encodePermalink({ screen: "glossary" })}`}
            onClick={close}
          >
            {nav.screens.glossary}
          </a>
          <a
            href={`#${encodePermalink({ screen: "experiments", experiment: HOW_WE_KNOW })}`}
            onClick={close}
          >
            {help.howWeKnow}
          </a>
        </>
      ) : null}
      {hasPages ? null : (
        <div className="nav-menu-detail">
          <ShareButton hasIcon />
        </div>
      )}
      <div className="nav-menu-detail">
        <DetailChoice />
      </div>
      <div className="nav-menu-detail">
        <LanguageChoice label={help.language} />
      </div>
      {items.map(({ text, act }) => (
        <button
          key={text}
          type="button"
          onClick={() => {
            close();
            act();
          }}
        >
          {text}
        </button>
      ))}
    </>
  );
}

/** Help for every screen: the glossary, all commands, and the list of keys. */
import { FloatingDialog, Opener } from "../../views/shared/opener/Opener";
import { encodePermalink } from "../../model/permalink/permalink";
import { HOW_WE_KNOW } from "../../model/experiments/howWeKnow";
import { useActions, useApp } from "../context";
import { DetailChoice } from "./DetailChoice";
import type { Dialog } from "./useKeys";

export interface HelpMenuProps {
  readonly onDialog: (dialog: Dialog) => void;
}

export function HelpMenu({ onDialog }: HelpMenuProps) {
  return (
    <Opener
      opens="dialog"
      className="btn quiet icon"
      aria-label="Help"
      face={<span aria-hidden="true">?</span>}
    >
      {(floating) => (
        <FloatingDialog
          {...floating}
          label="Help"
          className="nav-menu-body"
          placement="bottom end"
        >
          {({ close }) => (
            <>
              <a
                href={`#${encodePermalink({ screen: "glossary" })}`}
                onClick={close}
              >
                Glossary
              </a>
              <a
                href={`#${encodePermalink({ screen: "experiments", experiment: HOW_WE_KNOW })}`}
                onClick={close}
              >
                How we know
              </a>
              <HelpItems onDialog={onDialog} close={close} />
            </>
          )}
        </FloatingDialog>
      )}
    </Opener>
  );
}

/** What a phone shows below its screens. */
export function HelpItems({
  onDialog,
  close,
}: HelpMenuProps & { readonly close: () => void }) {
  const { showWelcome, toggleProjector } = useActions();
  const projector = useApp((state) => state.projector);
  return (
    <>
      <div className="nav-menu-detail">
        <DetailChoice />
      </div>
      <button
        type="button"
        onClick={() => {
          close();
          toggleProjector();
        }}
      >
        {projector ? "Usual text" : "Larger text, for a projector"}
      </button>
      <button
        type="button"
        onClick={() => {
          close();
          onDialog("palette");
        }}
      >
        Commands (Ctrl K)
      </button>
      <button
        type="button"
        onClick={() => {
          close();
          onDialog("keys");
        }}
      >
        Keys
      </button>
      <button
        type="button"
        onClick={() => {
          close();
          void showWelcome();
        }}
      >
        Show the first screen again
      </button>
    </>
  );
}

/** Help for every screen: the glossary, all commands, and the list of keys. The items load on use. */
import { lazy } from "react";
import { FloatingDialog, Opener } from "../../views/shared/opener/Opener";
import { useSpoken } from "../language/spoken";
import type { Dialog } from "./useKeys";

export const HelpItems = lazy(() =>
  import("./HelpItems").then((module) => ({ default: module.HelpItems })),
);

export interface HelpMenuProps {
  readonly onDialog: (dialog: Dialog) => void;
}

export function HelpMenu({ onDialog }: HelpMenuProps) {
  const { language, nav } = useSpoken();
  const { help } = nav;
  return (
    <Opener
      opens="dialog"
      className="btn quiet icon"
      aria-label={help}
      face={<span aria-hidden="true">?</span>}
    >
      {(floating) => (
        <FloatingDialog
          {...floating}
          label={help}
          lang={language}
          className="nav-menu-body"
          placement="bottom end"
        >
          {({ close }) => (
            <HelpItems onDialog={onDialog} close={close} hasPages />
          )}
        </FloatingDialog>
      )}
    </Opener>
  );
}

/** A dialog over the page. Escape and a click outside close it and return the focus. */
import type { ReactNode } from "react";
import {
  Dialog,
  Heading,
  ModalOverlay,
  Modal as Frame,
} from "react-aria-components";
import { Icon } from "../../views/shared/Icon";
import { useTypedAhead } from "../frame/TypeAhead";
import "./dialog.css";

export interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** The dialog is as wide as a picture with two columns. */
  readonly full?: boolean;
  readonly children: ReactNode;
}

export function Modal(props: ModalProps) {
  const { title, onClose, wide = false, full = false, children } = props;
  useTypedAhead();
  const width = full ? "dialog-full" : wide ? "dialog-wide" : "";
  return (
    <ModalOverlay
      className="scrim"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Frame className={`dialog ${width}`}>
        <Dialog className="dialog-body" lang="en">
          <div className="dialog-header">
            <Heading slot="title" className="dialog-title">
              {title}
            </Heading>
            <button
              type="button"
              className="btn quiet icon"
              aria-label="Close"
              onClick={onClose}
            >
              <Icon name="close" />
            </button>
          </div>
          {children}
        </Dialog>
      </Frame>
    </ModalOverlay>
  );
}

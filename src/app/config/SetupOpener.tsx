/** A button with the simulated machine in a few words. It opens the pickers that change the machine. */
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "../../views/shared/Icon";
import { FloatingDialog, Opener } from "../../views/shared/opener/Opener";
import { Pickers } from "./Pickers";

interface SetupOpenerProps extends Pick<
  ComponentProps<typeof Pickers>,
  "onEdit" | "onDialog"
> {
  readonly text: string;
  readonly className: string;
  /** The name of the button; missing = its text. */
  readonly name?: string;
  /** What stands below the pickers. */
  readonly children?: (close: () => void) => ReactNode;
}

export function SetupOpener(props: SetupOpenerProps) {
  const { text, className, name, onEdit, onDialog, children } = props;
  return (
    <Opener
      opens="dialog"
      className={className}
      {...(name !== undefined && { "aria-label": name })}
      face={
        <>
          <span className="phone-setup-text">{text}</span>
          <Icon name="chevron" size={12} />
        </>
      }
    >
      {(floating) => (
        <FloatingDialog
          {...floating}
          label="Simulated machine"
          className="phone-setup-body"
          popoverClass="phone-setup"
        >
          {({ close }) => (
            <>
              <Pickers
                onCpu={close}
                onEdit={(tab) => {
                  close();
                  onEdit(tab);
                }}
                onDialog={(dialog) => {
                  close();
                  onDialog(dialog);
                }}
              />
              {children?.(close)}
            </>
          )}
        </FloatingDialog>
      )}
    </Opener>
  );
}

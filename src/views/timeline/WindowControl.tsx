/** A button with the counted part of the trace; it opens a form with the numbers. */
import { lazy } from "react";
import { count } from "../../model/shared/format";
import { runSpan } from "../../model/shared/runWindow";
import { Icon } from "../shared/Icon";
import { FloatingDialog, Opener } from "../shared/opener/Opener";
import type { WindowFormProps } from "./WindowForm";

const WindowForm = lazy(() =>
  import("./WindowForm").then((module) => ({ default: module.WindowForm })),
);

export function WindowControl(props: Omit<WindowFormProps, "onDone">) {
  const { window, nAccesses, span } = props;
  const { counted } = runSpan(window, nAccesses);
  const text = window ? count(counted.to - counted.from) : "whole trace";
  return (
    <Opener
      opens="dialog"
      className="btn timeline-counted"
      aria-label={`Count: ${text}${window ? " accesses" : ""}`}
      face={
        <>
          Count: <b>{text}</b>
          <Icon name="chevron" size={12} />
        </>
      }
    >
      {(floating) => (
        <FloatingDialog
          {...floating}
          label="What is counted"
          className="timeline-window-form"
          placement="top end"
        >
          {({ close }) => (
            <WindowForm
              // A new key resets the form when the window changes elsewhere.
              key={`${window?.skip ?? 0} ${window?.warmup ?? 0} ${window?.limit ?? ""} ${span.from} ${span.to}`}
              {...props}
              onDone={close}
            />
          )}
        </FloatingDialog>
      )}
    </Opener>
  );
}

/** Which part of the trace is counted: a button that says it, and behind it the numbers. */
import type { RunWindow } from "../../engine/generated/RunWindow";
import { count } from "../../model/shared/format";
import { runSpan } from "../../model/shared/runWindow";
import type { Span } from "../../model/timeline/counts";
import { Icon } from "../shared/Icon";
import { FloatingDialog, Opener } from "../shared/opener/Opener";
import { WindowForm } from "./WindowForm";

export interface WindowControlProps {
  readonly window: RunWindow | undefined;
  readonly nAccesses: number;
  /** What the timeline shows. */
  readonly span: Span;
  readonly onChange: (window: RunWindow | undefined) => void;
}

export function WindowControl(props: WindowControlProps) {
  const { window, nAccesses, span } = props;
  const { counted } = runSpan(window, nAccesses);
  const text = window ? count(counted.to - counted.from) : "all";
  return (
    <Opener
      opens="dialog"
      className="btn timeline-counted"
      aria-label={`Counted: ${text} accesses`}
      face={
        <>
          counted <b>{text}</b>
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
              // Other numbers come in when the window was changed from outside.
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

/** The name of the trace, which opens a list of what can be opened in its place. */
import { lazy } from "react";
import { Icon } from "../../views/shared/Icon";
import { Opener } from "../../views/shared/opener/Opener";
import { useApp } from "../context";
import type { Dialog } from "../frame/useKeys";

const TraceList = lazy(() =>
  import("./TraceList").then((module) => ({ default: module.TraceList })),
);

export interface TraceMenuProps {
  readonly onDialog: (dialog: Dialog) => void;
}

export function TraceMenu({ onDialog }: TraceMenuProps) {
  const name = useApp(({ trace }) => trace?.name ?? "Open a trace");
  return (
    <Opener
      opens="listbox"
      className="trace-name trace-menu"
      title={name}
      aria-label={`Trace: ${name}`}
      face={
        <>
          <span>{name}</span>
          <Icon name="chevron" size={12} />
        </>
      }
    >
      {(floating) => <TraceList {...floating} onDialog={onDialog} />}
    </Opener>
  );
}

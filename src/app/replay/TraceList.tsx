/** What can be opened in place of the trace: the examples, and the ways to another one. */
import { encodePermalink } from "../../model/permalink/permalink";
import { BUILT_IN_TRACES, builtInTrace } from "../../state/import/traces";
import { TRACES_ABOUT } from "../../state/import/tracesAbout";
import type { Floating } from "../../views/shared/opener/floating";
import { FloatingList } from "../../views/shared/opener/FloatingList";
import { useActions, useApp } from "../context";
import type { Dialog } from "../frame/useKeys";

/** Their keys are no ids of examples. */
const OTHERS = [
  { key: "a program", text: "A program of your own …" },
  { key: "generate a trace", text: "Generate …" },
  { key: "open a file", text: "Open a file …" },
];

const SECTIONS = [
  {
    title: "Examples",
    choices: BUILT_IN_TRACES.map(({ id, title }) => ({
      key: id,
      text: title,
      about: TRACES_ABOUT[id],
    })),
  },
  { choices: OTHERS },
];

export interface TraceListProps extends Floating {
  readonly onDialog: (dialog: Dialog) => void;
}

export function TraceList({ onDialog, ...floating }: TraceListProps) {
  const builtIn = useApp((state) => state.builtIn ?? null);
  const { open, openBuiltIn } = useActions();
  const choose = (key: string) => {
    const example = builtInTrace(key);
    // To choose the open example again only closes the menu.
    if (example && key !== builtIn) void openBuiltIn(example);
    else if (key === "a program")
      void open(`#${encodePermalink({ screen: "code" })}`);
    else if (key === "generate a trace") onDialog("generate");
    else if (key === "open a file") onDialog("import");
  };
  return (
    <FloatingList
      {...floating}
      label="Trace"
      placement="bottom start"
      sections={SECTIONS}
      selected={builtIn}
      onSelect={choose}
    />
  );
}

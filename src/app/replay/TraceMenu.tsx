/** The name of the trace, as a menu of what can be opened in its place. */
import { encodePermalink } from "../../model/permalink/permalink";
import { BUILT_IN_TRACES, builtInTrace } from "../../state/import/traces";
import { Icon } from "../../views/shared/Icon";
import { FloatingList, Opener } from "../../views/shared/opener/Opener";
import { useActions, useApp } from "../context";
import type { Dialog } from "../frame/useKeys";

/** Their keys are no ids of examples. */
const OTHERS = [
  { key: "a loop", text: "A loop …" },
  { key: "generate a trace", text: "Generate …" },
  { key: "open a file", text: "Open a file …" },
];

const SECTIONS = [
  {
    title: "Examples",
    choices: BUILT_IN_TRACES.map(({ id, title, about }) => ({
      key: id,
      text: title,
      about,
    })),
  },
  { choices: OTHERS },
];

export interface TraceMenuProps {
  readonly onDialog: (dialog: Dialog) => void;
}

export function TraceMenu({ onDialog }: TraceMenuProps) {
  const name = useApp(({ trace }) => trace?.name ?? "");
  const builtIn = useApp((state) => state.builtIn ?? null);
  const { open, openBuiltIn } = useActions();
  const choose = (key: string) => {
    const example = builtInTrace(key);
    // To choose the open example again only closes the menu.
    if (example && key !== builtIn) void openBuiltIn(example);
    else if (key === "a loop")
      void open(`#${encodePermalink({ screen: "loop" })}`);
    else if (key === "generate a trace") onDialog("generate");
    else if (key === "open a file") onDialog("import");
  };
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
      {(floating) => (
        <FloatingList
          {...floating}
          label="Trace"
          placement="bottom start"
          sections={SECTIONS}
          selected={builtIn}
          onSelect={choose}
        />
      )}
    </Opener>
  );
}

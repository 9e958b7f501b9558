/** What happened around an access beside its translation: operations, and how it ended without one. */
import type { MachineView } from "../../engine/generated/MachineView";
import type { OpView } from "../../engine/generated/OpView";
import type { StepView } from "../../engine/generated/StepView";
import { counted } from "../../model/format";
import type { Ending as EndingText } from "../../model/noTranslation";
import { droppedText, opChip } from "../../model/operations";
import { Tooltip } from "../shared/Tooltip";

export interface OperationsProps {
  readonly step: StepView;
  readonly machine: MachineView;
}

/** Chips that there is room for; the rest are counted. */
const MOST = 2;

/** Operations before the access, and at the end of the trace those after it. */
export function Operations({ step, machine }: OperationsProps) {
  const { before, after } = step;
  if (before.length + after.length === 0) return null;
  return (
    <div className="access-ops">
      <Chips word="before it" ops={before} machine={machine} />
      <Chips word="after it" ops={after} machine={machine} />
    </div>
  );
}

function Chips({
  word,
  ops,
  machine,
}: {
  readonly word: string;
  readonly ops: readonly OpView[];
  readonly machine: MachineView;
}) {
  if (ops.length === 0) return null;
  const rest = ops.slice(MOST);
  return (
    <>
      <span className="t3">{word}</span>
      {ops.slice(0, MOST).map((op, at) => (
        <Tooltip
          key={at}
          content={<Details ops={[op]} machine={machine} />}
          tap
        >
          <button type="button" className="access-chip access-op">
            {opChip(op)}
          </button>
        </Tooltip>
      ))}
      {rest.length > 0 ? (
        <Tooltip content={<Details ops={rest} machine={machine} />} tap>
          <button type="button" className="access-chip access-op">
            and {counted(rest.length, "other")}
          </button>
        </Tooltip>
      ) : null}
    </>
  );
}

function Details({
  ops,
  machine,
}: {
  readonly ops: readonly OpView[];
  readonly machine: MachineView;
}) {
  return ops.map((op, at) => (
    <div key={at}>
      <p className="tip-title">{op.text}</p>
      <p>{droppedText(op, machine)}</p>
      <p className="tip-note">by process {op.pid}</p>
    </div>
  ));
}

/** In place of the trail: what ended the access. */
export function Ending({ ending }: { readonly ending: EndingText }) {
  return (
    <p className="access-ending">
      <span className="access-chip">
        <b>{ending.title}</b>
      </span>{" "}
      {ending.why}
    </p>
  );
}

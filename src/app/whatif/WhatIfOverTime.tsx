/** The working set over time and its phases; what else walk cycles depend on. */
import type { RunReport } from "../../engine/generated/RunReport";
import { csv } from "../../model/shared/csv";
import { count, counted, memorySize } from "../../model/shared/format";
import { KINDS, keyOf } from "../../model/whatif/questions";
import { changeText } from "../../model/whatif/effect";
import {
  sensitivityChoices,
  walkersText,
  windowOf,
} from "../../model/whatif/overTime";
import type { SensitivityChoice } from "../../model/whatif/overTime";
import { Panel, Pending } from "../../views/whatif/Panel";
import { WorkingSetChart } from "../../views/whatif/WorkingSetChart";
import { ModelNumber } from "../../views/shared/Quantity";
import { SavePicture } from "../../views/shared/picture/SavePicture";
import { useActions, useAppStore } from "../context";
import { useAnswer, useRun, valueOf } from "./useAsked";
import type { WhatIf } from "./useWhatIf";
import "../../views/whatif/curves.css";

/** What the working set is counted over. */
const UNITS = {
  data: "loads and stores",
  fetch: "fetches",
  all: "accesses",
} as const;

interface PartProps {
  readonly whatIf: WhatIf;
}

export function WhatIfOverTime({ whatIf }: PartProps) {
  return (
    <>
      <Working whatIf={whatIf} />
      <Sensitivity whatIf={whatIf} />
    </>
  );
}

function Working({ whatIf }: PartProps) {
  const { trace, view, size } = whatIf;
  const actions = useActions();
  const question = {
    what: "working-set" as const,
    uses: { pages: size, kinds: [...KINDS[view.kinds]] },
    window: windowOf(trace.n_accesses),
  };
  const asked = useAnswer(question);
  const found = valueOf(asked);
  const title = "Working set over time";
  const table = () =>
    csv([
      ["first access", "accesses", "mean pages", "least", "most", "change"],
      ...(found?.intervals ?? []).map((each) => [
        each.first,
        each.accesses,
        each.mean,
        each.least,
        each.most,
        each.change,
      ]),
    ]);
  return (
    <Panel
      title={title}
      of={whatIf.isPart ? "whole" : undefined}
      note={`pages used by the last ${count(question.window)} ${UNITS[view.kinds]}, ${size}`}
      controls={<SavePicture what={title} tables={[{ csv: table }]} />}
    >
      {found && found.intervals.length > 0 ? (
        <>
          <WorkingSetChart found={found} unit={UNITS[view.kinds]} />
          <p className="t2 small">
            {count(Math.round(found.mean))} pages (
            {memorySize(found.mean * found.page_bytes)}) in the mean,{" "}
            {count(found.most)} at most; {counted(found.phases.length, "phase")}
            , told apart where more than half of the pages change from one
            interval to the next.
          </p>
        </>
      ) : (
        <Pending
          what="The working set over time"
          asked={asked}
          height={180}
          onCancel={() => actions.cancelAsked([question])}
          onAgain={() => void actions.ask(question)}
        />
      )}
    </Panel>
  );
}

function Sensitivity({ whatIf }: PartProps) {
  const { own, ownReport } = whatIf;
  const store = useAppStore();
  const choices = sensitivityChoices(own);
  const walkers = walkersText(own.machine);
  const title = "What walk cycles depend on";
  const table = () => {
    const { runs } = store.getState().whatIf;
    const row = (name: string, report: RunReport | undefined) => [
      name,
      report?.walks.refs,
      report?.cycles.walk,
    ];
    return csv([
      ["change", "references", "walk cycles"],
      row("as configured", ownReport),
      ...choices.map(({ name, setup }) =>
        row(name, valueOf(runs[keyOf({ ...own, ...setup })])),
      ),
    ]);
  };
  return (
    <Panel
      title={title}
      note="one change at a time, each run in full"
      controls={<SavePicture what={title} tables={[{ csv: table }]} />}
    >
      <table className="wi-table wi-wrapped">
        <thead>
          <tr>
            <th scope="col">change</th>
            <th scope="col" className="number wi-minor">
              refs
            </th>
            <th scope="col" className="number">
              <ModelNumber formula="For each walk its overhead and the latencies of its references.">
                walk cycles
              </ModelNumber>
            </th>
            <th scope="col" className="number">
              change
            </th>
          </tr>
        </thead>
        <tbody>
          {choices.map((choice) => (
            <SensitivityLine
              key={choice.name}
              choice={choice}
              whatIf={whatIf}
            />
          ))}
        </tbody>
      </table>
      {walkers ? <p className="t2 small wi-advice">{walkers}</p> : null}
    </Panel>
  );
}

function SensitivityLine({
  choice,
  whatIf,
}: PartProps & { readonly choice: SensitivityChoice }) {
  const { ownReport } = whatIf;
  const run = useRun({ ...whatIf.own, ...choice.setup });
  const report = valueOf(run);
  return (
    <tr>
      <th scope="row">{choice.name}</th>
      {run?.status === "failed" ? (
        <td colSpan={3} className="wi-problem">
          {run.why}
        </td>
      ) : (
        <>
          <td className="number mono wi-minor">
            {report ? count(report.walks.refs) : "…"}
          </td>
          <td className="number mono">
            {report ? count(report.cycles.walk) : "…"}
          </td>
          <td className="number wi-strong">
            {report && ownReport
              ? changeText(ownReport.cycles.walk, report.cycles.walk)
              : "…"}
          </td>
        </>
      )}
    </tr>
  );
}

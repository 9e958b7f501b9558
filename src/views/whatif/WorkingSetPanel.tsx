/** The working set over time and its phases. */
import type { WorkingSet } from "../../engine/generated/WorkingSet";
import { pagesWords } from "../../model/whatif/whatIf";
import { count, counted, memorySize } from "../../model/shared/format";
import type { QuestionOf } from "../../model/whatif/asking";
import { valueOf } from "../../model/whatif/questions";
import { workingSetCsv } from "../../model/whatif/tables";
import { SavePicture } from "../shared/picture/SavePicture";
import { Panel, Pending } from "./Panel";
import type { AnswerProps } from "./panelActions";
import { WorkingSetChart } from "./WorkingSetChart";
import "./curves.css";

/** The accesses of the working set, in words. */
const UNITS = {
  data: "loads and stores",
  fetch: "fetches",
  all: "accesses",
} as const;

export function WorkingSetPanel(
  props: AnswerProps<QuestionOf<"working-set">, WorkingSet>,
) {
  const { whatIf, question, asked } = props;
  const { view } = whatIf;
  const found = valueOf(asked);
  const title = "Working set over time";
  return (
    <Panel
      title={title}
      of={whatIf.isPart ? "whole" : undefined}
      note={`pages used by the last ${count(question.window)} ${UNITS[view.kinds]}, ${pagesWords(whatIf)}`}
      controls={
        <SavePicture
          what={title}
          tables={[{ csv: () => workingSetCsv(found) }]}
        />
      }
    >
      {found && found.intervals.length > 0 ? (
        <>
          <WorkingSetChart found={found} unit={UNITS[view.kinds]} />
          <p className="t2 small">
            {counted(Math.round(found.mean), "page")}
            {found.page_bytes > 0
              ? ` (${memorySize(found.mean * found.page_bytes)})`
              : ""}{" "}
            on average, {count(found.most)} at most;{" "}
            {counted(found.phases.length, "phase")}, each from a tick to the
            next. In a phase, most pages stay from one interval to the next, or
            they keep changing, as in a scan.
          </p>
        </>
      ) : (
        <Pending
          what="The working set over time"
          asked={asked}
          height={180}
          onCancel={() => props.onCancel([question])}
          onAgain={() => props.onAgain([question])}
        />
      )}
    </Panel>
  );
}

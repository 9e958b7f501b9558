/** The frame of the advice on huge pages: the page size, the files, and a placeholder until the advice is known. */
import type { ReactNode } from "react";
import type { HugeAdvice } from "../../engine/generated/HugeAdvice";
import type { PageSize } from "../../engine/generated/PageSize";
import { largerSizes } from "../../model/whatif/advice";
import type { QuestionOf } from "../../model/whatif/asking";
import { alreadyHuge } from "../../model/whatif/recorded";
import { valueOf } from "../../model/whatif/questions";
import { walksLeftCsv } from "../../model/whatif/tables";
import { SavePicture } from "../shared/picture/SavePicture";
import { Segmented } from "../shared/Segmented";
import { Panel, Pending } from "./Panel";
import type { AnswerProps } from "./panelActions";
import "./advice.css";

export interface AdvicePanelProps extends AnswerProps<
  QuestionOf<"huge-pages"> | undefined,
  HugeAdvice
> {
  /** The page sizes of the machine. */
  readonly sizes: readonly PageSize[];
  readonly regionsCsv: () => string;
  /** The advice, once it is known. */
  readonly children: ReactNode;
}

export function AdvicePanel(props: AdvicePanelProps) {
  const { whatIf, question, asked, sizes } = props;
  const { size } = whatIf;
  const already = alreadyHuge(whatIf);
  const larger = largerSizes(sizes, size);
  const huge = question?.huge;
  const advice = valueOf(asked);
  const title = `Where ${huge ?? "2M"} pages help`;
  return (
    <Panel
      title={title}
      of={whatIf.isPart ? "part" : undefined}
      note="each region by itself"
      controls={
        <>
          {huge !== undefined && larger.length > 1 ? (
            <Segmented<PageSize>
              label="Huge page size"
              value={huge}
              choices={larger.map((value) => ({ value, label: value }))}
              onChange={(next) => props.onChoose({ huge: next })}
            />
          ) : null}
          <SavePicture
            what={title}
            tables={[
              { of: "regions", csv: props.regionsCsv },
              { of: "walks left", csv: () => walksLeftCsv(advice) },
            ]}
          />
        </>
      }
    >
      {already === undefined ? null : <p className="t2 small">{already}</p>}
      {!question ? (
        <p className="t2">
          {sizes.length > 1
            ? `All memory has ${size} pages already.`
            : "The machine has no larger pages."}
        </p>
      ) : advice ? (
        props.children
      ) : (
        <Pending
          what="Simulating huge pages"
          asked={asked}
          height={220}
          onCancel={() => props.onCancel([question])}
          onAgain={() => props.onAgain([question])}
        />
      )}
    </Panel>
  );
}
